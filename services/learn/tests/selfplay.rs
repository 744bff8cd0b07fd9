//! Games of self-play: what they are, that they depend on their seed alone, and that shards keep them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arena::{EnginePlayer, Player, TimeSettings};
use arimaa::{GOLD, SILVER};
use arimaa_ai::setup_library;
use engine::{Engine, Verdict};
use game::{Game, Side};
use learn::{
    AllGames, GameId, Header, Inside, Learnable, Openings, Participant, Reason, Returns, Sample,
    Samples, Selection, Setups, ShardError, ShardFault, ShardGame, ShardTurn, ShardWriter, Sharing,
    Terms, Workers, earlier_positions, games, inspect, is_validation, shard_files,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A game whose engines are known.
trait Played: Learnable {
    fn engine(name: &str) -> Box<dyn Engine<Self>>;
}

impl Played for arimaa::Game {
    fn engine(name: &str) -> Box<dyn Engine<Self>> {
        let mut chosen = engine::named(arimaa_ai::engines::ENGINES, name).unwrap().configure();
        chosen.memory = 1;
        Box::new(chosen.build().unwrap())
    }
}

impl Played for tzaar::Game {
    fn engine(name: &str) -> Box<dyn Engine<Self>> {
        let mut chosen = engine::named(tzaar_ai::engines::ENGINES, name).unwrap().configure();
        chosen.memory = 1;
        Box::new(chosen.build().unwrap())
    }
}

fn terms<P>(seed: u64) -> Terms<P> {
    Terms {
        nodes: 100,
        branches: 1,
        seed,
        generation: 0,
        openings: Openings::default(),
        opponent_time: TimeSettings::default(),
    }
}

fn header<G: Learnable>(seed: u64) -> Header {
    let (game, engine) = (G::NAME.to_string(), "test".to_string());
    Header { game, generation: 0, seed, engine }
}

/// Plays so many games of an engine into a folder, and says how many were new.
fn play<G: Played>(folder: &Path, engine: &str, seed: u64, count: u64, threads: usize) -> usize {
    let terms = terms(seed);
    let make_engine = || Ok(G::engine(engine));
    let workers =
        Workers { terms: &terms, make_engine: &make_engine, start_opponent: None, threads };
    let mut writer = ShardWriter::<G>::open(folder, &header::<G>(seed), Sharing::Alone).unwrap();
    let mut played = 0;
    workers.run(&AllGames::new(count), &mut writer, |_| played += 1).unwrap();
    played
}

type ById<G> = BTreeMap<GameId, ShardGame<<G as Game>::Position>>;

/// All games of a folder; each must be there once.
fn by_id<G: Learnable>(folder: &Path) -> ById<G> {
    let mut all = BTreeMap::new();
    for game in games::<G>(folder).unwrap() {
        let (_, game) = game.unwrap();
        assert!(all.insert(game.id, game).is_none(), "a game is there twice");
    }
    all
}

fn the_same_seed_plays_the_same_games<G: Played<Position: PartialEq + std::fmt::Debug>>(
    engine: &str,
) {
    let [one, three, resumed] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    assert_eq!(play::<G>(one.path(), engine, 5, 8, 1), 8);
    assert_eq!(play::<G>(three.path(), engine, 5, 8, 3), 8);
    assert_eq!(play::<G>(resumed.path(), engine, 5, 3, 2), 3);
    assert_eq!(play::<G>(resumed.path(), engine, 5, 8, 2), 5);
    assert_eq!(play::<G>(resumed.path(), engine, 5, 8, 2), 0);
    let expected = by_id::<G>(one.path());
    assert_eq!(expected.len(), 8);
    for folder in [three, resumed] {
        let found = by_id::<G>(folder.path());
        assert!(found.keys().eq(expected.keys()));
        for (id, game) in &expected {
            assert!(found[id].start == game.start);
            assert_eq!(found[id].ending, game.ending);
            assert_eq!(found[id].turns.len(), game.turns.len());
            for (a, b) in found[id].turns.iter().zip(&game.turns) {
                assert!(a.steps == b.steps && a.searched == b.searched);
            }
        }
    }
}

#[test]
fn a_game_of_arimaa_depends_on_its_seed_and_number_alone() {
    the_same_seed_plays_the_same_games::<arimaa::Game>("tusk");
}

#[test]
fn a_game_of_tzaar_depends_on_its_seed_and_number_alone() {
    the_same_seed_plays_the_same_games::<tzaar::Game>("tusk");
}

fn games_are_legal_and_end_as_they_say<G: Played>() {
    let folder = tempfile::tempdir().unwrap();
    play::<G>(folder.path(), "tusk", 1, 12, 2);
    play::<G>(folder.path(), "random", 2, 12, 2);
    let (mut inside, mut branches) = (0, 0);
    for game in by_id::<G>(folder.path()).values() {
        let mut last = G::begin_at(&game.start);
        game.replay::<G>(|before, turn| {
            if turn.is_branch {
                branches += 1;
                assert!(turn.searched.is_some() && usize::from(turn.by_chance) == turn.steps.len());
                return;
            }
            last = before.clone();
            last.play(G::turn(&turn.steps).unwrap()).unwrap();
            inside += usize::from(turn.by_chance > 0 && turn.searched.is_some());
        })
        .unwrap();
        let proven = game.turns.last().and_then(|turn| turn.searched).map(|s| s.score.verdict());
        match game.ending.reason {
            Reason::Rules(_) => {
                let ended = last.ended().expect("the rules ended it");
                assert_eq!(Some(ended.winner), game.ending.winner);
                assert_eq!(ended.reason, game.ending.reason.word::<G>());
            }
            Reason::Proof => assert!(matches!(proven, Some(Verdict::Proof(_)))),
            Reason::Length => assert_eq!(game.ending.winner, None),
            Reason::Resignation => assert!(game.ending.winner.is_some()),
            Reason::Failure => panic!("there is no opponent"),
        }
    }
    assert!(inside > 0 && branches > 0, "some searches begin inside a turn, some are of branches");
    let found = inspect::<G>(folder.path()).unwrap();
    assert_eq!((found.games, found.inside, found.branches), (24, inside, branches));
    assert_eq!(found.shards, 2);
}

#[test]
fn games_of_arimaa_are_legal_and_end_as_they_say() {
    games_are_legal_and_end_as_they_say::<arimaa::Game>();
}

#[test]
fn games_of_tzaar_are_legal_and_end_as_they_say() {
    games_are_legal_and_end_as_they_say::<tzaar::Game>();
}

#[test]
fn samples_tell_the_mover_what_the_search_and_the_game_said() {
    let folder = tempfile::tempdir().unwrap();
    play::<arimaa::Game>(folder.path(), "tusk", 3, 12, 2);
    let all = by_id::<arimaa::Game>(folder.path());
    let samples = |inside| -> Vec<Sample<arimaa::Position>> {
        Samples::<arimaa::Game>::open(folder.path(), inside).unwrap().map(Result::unwrap).collect()
    };
    let (roots, every) = (samples(Inside::LeftOut), samples(Inside::Included));
    assert!(every.len() > roots.len());
    let mut keys: Vec<u64> = roots.iter().map(|sample| sample.position.key().0).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), roots.len(), "each position is there once");
    for sample in &every {
        let game = &all[&sample.game];
        let won = game
            .ending
            .winner
            .map_or(0, |side| if side == sample.position.side() { 1 } else { -1 });
        let mut played = game.turns.iter().filter(|turn| !turn.is_branch);
        let turn = played.nth(sample.ply.into());
        let of_turn = |turn: &ShardTurn<_>| turn.searched.map(|searched| searched.score);
        let is_played =
            turn.is_some_and(|turn| of_turn(turn) == sample.score) && sample.result == won;
        let is_branch = sample.result == 0
            && game.turns.iter().any(|turn| turn.is_branch && of_turn(turn) == sample.score);
        assert!(is_played || is_branch, "{}", sample.position);
    }
    let branches = roots.iter().filter(|sample| sample.result == 0).count();
    assert!(branches > 0 && branches < roots.len());
}

#[test]
fn one_game_in_twenty_is_for_validation() {
    let ids = (0..20_000).map(|number| GameId::new(1, 0, number));
    let share = ids.filter(|&id| is_validation(id)).count();
    assert!((800..1200).contains(&share), "{share}");
}

#[test]
fn an_opponent_has_each_side_in_turn_and_no_scores() {
    let terms = terms(4);
    let make_engine = || Ok(arimaa::Game::engine("tusk"));
    let start_opponent = || -> Result<Box<dyn Player<arimaa::Game>>, arena::Failure> {
        Ok(Box::new(EnginePlayer::new("random".to_string(), arimaa::Game::engine("random"))))
    };
    let mut player = learn::SelfPlay::new(&terms, &make_engine, Some(&start_opponent)).unwrap();
    for number in 0..4 {
        let game = player.play(number).unwrap();
        let side = if number % 2 == 0 { Side::Second } else { Side::First };
        assert_eq!(game.players[side], Participant::Opponent);
        assert_eq!(game.players[!side], Participant::Learner);
        game.replay::<arimaa::Game>(|before, turn| {
            if before.position().side() == side {
                assert_eq!((turn.searched, turn.by_chance), (None, 0));
            }
        })
        .unwrap();
        assert_eq!(game.ending.winner, Some(!side), "nobody loses to chance");
    }
}

/// A shard with two blocks of some games: the bytes, where the last frame begins, and the ids.
fn two_blocks(folder: &Path) -> (Vec<u8>, usize, Vec<GameId>) {
    play::<tzaar::Game>(folder, "random", 1, 2, 1);
    let path = shard_files(folder).unwrap().remove(0);
    let first = fs::read(&path).unwrap().len();
    play::<tzaar::Game>(folder, "random", 1, 4, 1);
    let ids = (0..4).map(|number| GameId::new(1, 0, number)).collect();
    (fs::read(&path).unwrap(), first, ids)
}

fn fault_of(path: &Path) -> Option<ShardError> {
    games::<tzaar::Game>(path).unwrap().find_map(Result::err)
}

#[test]
fn a_shard_that_was_cut_off_anywhere_keeps_all_frames_before_and_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, last, ids) = two_blocks(folder.path());
    let path = shard_files(folder.path()).unwrap().remove(0);
    let open = || {
        let header = header::<tzaar::Game>(1);
        ShardWriter::<tzaar::Game>::open(folder.path(), &header, Sharing::Alone).unwrap()
    };
    fs::write(&path, []).unwrap();
    drop(open());
    let header_length = fs::read(&path).unwrap().len();
    for length in (0..whole.len()).filter(|length| ![header_length, last].contains(length)) {
        fs::write(&path, &whole[..length]).unwrap();
        let error = fault_of(&path).expect("it is cut off");
        assert!(matches!(error.fault, ShardFault::CutOff), "{length}: {error}");
        if length > last {
            assert_eq!(error.offset, last as u64);
        }
        let writer = open();
        let kept = if length > last { 2 } else { 0 };
        assert_eq!(writer.done.len(), kept, "{length} bytes");
        drop(writer);
        assert!(fault_of(&path).is_none(), "{length}: it is repaired");
    }
    // What is missing is played again, and the shard is as it was.
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert_eq!(play::<tzaar::Game>(folder.path(), "random", 1, 4, 1), 2);
    assert!(fs::read(&path).unwrap() == whole);
    let mut found: Vec<GameId> = by_id::<tzaar::Game>(folder.path()).into_keys().collect();
    found.sort_by_key(|id| ids.iter().position(|known| known == id));
    assert_eq!(found, ids);
}

#[test]
fn a_byte_that_has_changed_is_noticed_and_never_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, last, _) = two_blocks(folder.path());
    let path = shard_files(folder.path()).unwrap().remove(0);
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let error = fault_of(&path).unwrap_or_else(|| panic!("byte {place}"));
        if place >= last {
            assert_eq!(error.offset, last as u64);
            assert!(matches!(error.fault, ShardFault::Damaged(_)), "byte {place}: {error}");
            let header = header::<tzaar::Game>(1);
            assert!(
                ShardWriter::<tzaar::Game>::open(folder.path(), &header, Sharing::Alone).is_err()
            );
            assert!(fs::read(&path).unwrap() == bytes, "byte {place}");
        }
    }
}

#[test]
fn a_shard_has_one_writer_and_games_of_one_engine() {
    let folder = tempfile::tempdir().unwrap();
    let header = header::<tzaar::Game>(1);
    let open =
        |header: &Header, sharing| ShardWriter::<tzaar::Game>::open(folder.path(), header, sharing);
    let first = open(&header, Sharing::Alone).unwrap();
    let refused = open(&header, Sharing::Alone).err().unwrap();
    assert!(matches!(refused.fault, ShardFault::InUse), "{refused}");
    let second = open(&header, Sharing::Shared).unwrap();
    assert_ne!(first.path(), second.path());
    drop((first, second));
    let other = Header { engine: "another".to_string(), ..header };
    let refused = open(&other, Sharing::Alone).err().unwrap();
    assert!(matches!(refused.fault, ShardFault::OtherEngine { .. }), "{refused}");
}

#[test]
fn games_begin_at_what_is_given_or_at_positions_of_earlier_generations() {
    let folder = tempfile::tempdir().unwrap();
    play::<tzaar::Game>(folder.path(), "random", 1, 20, 1);
    let earlier =
        |generation| earlier_positions::<tzaar::Game>(folder.path(), generation, 10, 7).unwrap();
    assert_eq!(earlier(0), []);
    assert_eq!(earlier(1).len(), 10);
    assert_eq!(earlier(1), earlier(1));
    let given = vec![tzaar::Position::fixed_start()];
    let openings = Openings { given, earlier: earlier(1), ..Openings::default() };
    let terms = Terms { openings, ..terms(1) };
    let make_engine = || Ok(tzaar::Game::engine("random"));
    let mut player = learn::SelfPlay::new(&terms, &make_engine, None).unwrap();
    let starts = (0..20).map(|number| player.play(number).unwrap().start);
    let from_given = starts.filter(|start| *start == tzaar::Position::fixed_start()).count();
    assert!((5..20).contains(&from_given), "some random turns may follow: {from_given}");
}

#[test]
fn random_setups_are_none_of_the_library() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut from_library = |setups| {
        let openings = (0..50).map(|_| arimaa::Game::random_opening(setups, &mut rng));
        let is_known = |position: &arimaa::Position, side| {
            let squares = position.board().of(side);
            setup_library(side).iter().any(|it| it.board().agrees_on(position.board(), squares))
        };
        openings.filter(|it| is_known(it, GOLD) || is_known(it, SILVER)).count()
    };
    assert_eq!(from_library(Setups::Random), 0);
    assert!(from_library(Setups::Library) > 10);
}

#[test]
fn at_most_so_many_positions_of_a_game_are_samples() {
    let folder = tempfile::tempdir().unwrap();
    play::<arimaa::Game>(folder.path(), "tusk", 3, 12, 2);
    let samples = |most_per_game| -> Vec<Sample<arimaa::Position>> {
        let selection =
            Selection { inside: Inside::Included, most_per_game, ..Selection::default() };
        let samples = Samples::<arimaa::Game>::open(folder.path(), selection).unwrap();
        samples.map(Result::unwrap).collect()
    };
    let (all, few) = (samples(None), samples(Some(3)));
    let count = |samples: &[Sample<_>], game| samples.iter().filter(|it| it.game == game).count();
    for sample in &few {
        assert!(all.iter().any(|other| other.position == sample.position), "it is one of all");
        assert!(count(&few, sample.game) <= 3);
    }
    assert!(few.len() > 12 && few.len() <= 36, "{}", few.len());
    assert_eq!(few, samples(Some(3)), "the same ones each time");
}

#[test]
fn positions_of_earlier_generations_are_positions_of_their_games() {
    let folder = tempfile::tempdir().unwrap();
    play::<arimaa::Game>(folder.path(), "tusk", 3, 12, 2);
    let mut keys = std::collections::BTreeSet::new();
    let mut branches = 0;
    for game in by_id::<arimaa::Game>(folder.path()).values() {
        branches += game.turns.iter().filter(|turn| turn.is_branch).count();
        game.replay::<arimaa::Game>(|game, _| _ = keys.insert(game.position().key())).unwrap();
    }
    assert!(branches > 0, "branches are no turns of a game");
    let earlier = earlier_positions::<arimaa::Game>(folder.path(), 4, 12, 7).unwrap();
    assert!(!earlier.is_empty());
    for position in earlier {
        assert!(keys.contains(&position.key()), "{position}");
    }
}

#[test]
fn returns_go_from_the_search_of_the_turn_to_the_result_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    play::<arimaa::Game>(folder.path(), "tusk", 3, 12, 2);
    let samples = |decay: Option<f32>| -> Vec<Sample<arimaa::Position>> {
        let returns = decay.map(|decay| Returns { decay, scale: 400.0 });
        let selection = Selection { returns, ..Selection::default() };
        let samples = Samples::<arimaa::Game>::open(folder.path(), selection).unwrap();
        samples.map(Result::unwrap).collect()
    };
    let [plain, none, half, all] = [None, Some(0.0), Some(0.5), Some(1.0)].map(samples);
    let mut differing = 0;
    for ((plain, none), (half, all)) in plain.iter().zip(none).zip(half.into_iter().zip(all)) {
        let Some(score) = plain.score else { continue };
        let [none, half, all] = [none, half, all].map(|it| it.score.expect("a score"));
        let is_branch = plain.result == 0;
        if is_branch || matches!(score.verdict(), Verdict::Proof(_)) {
            assert_eq!([none, half, all], [score; 3], "{}", plain.position);
            continue;
        }
        assert!((none.0 - score.0).abs() <= 1 || score.0.abs() > 2000, "{none:?} {score:?}");
        assert_eq!(i32::from(all.0).signum(), i32::from(plain.result), "{}", plain.position);
        differing += usize::from(half != none && half != all);
    }
    assert!(differing > 100, "{differing}");
}
