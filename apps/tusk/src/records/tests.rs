use arimaa::{GOLD, Game, SILVER, Setup};
use clock::TimeControl;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

const FORMATS: [Format; 3] = [Format::Archive, Format::Records, Format::Json];

/// Random games, some of which end early, with random facts about them.
fn games(count: u64) -> Vec<Record> {
    (1..=count).map(game).collect()
}

fn game(seed: u64) -> Record {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new();
    for side in [GOLD, SILVER] {
        game.set_up(Setup::random(side, &mut rng)).unwrap();
    }
    let length = rng.random_range(2..150);
    let opening = [0, 2, rng.random_range(2..10)][rng.random_range(0..3)];
    let mut text = if opening == 2 { game.to_string() } else { String::new() };
    while game.actions().count() < length {
        let Some(turn) = game.random_turn(&mut rng) else { break };
        game.try_play(turn).unwrap();
        if game.actions().count() == opening && game.outcome().is_none() {
            text = game.to_string();
        }
    }
    let (winner, reason) = match game.outcome() {
        Some(outcome) => (Some(outcome.winner), outcome.reason.name()),
        None if rng.random() => (None, "limit"),
        None => (Some(Side::ALL[rng.random_range(0..2)]), "hang"),
    };
    let begun = Game::parse(&text, Army::Full).map_or(0, |game| game.actions().count());
    let turns = game.turns();
    let mut ply = |turn: &String| Ply {
        turn: turn.clone(),
        seconds: rng.random_range(0.0..3.0),
        reserve: Some(rng.random_range(0.0..60.0)),
        score: rng.random::<bool>().then(|| rng.random_range(-100_000..100_000)),
        depth: rng.random::<bool>().then(|| rng.random_range(0..20)),
        nodes: rng.random::<bool>().then(|| rng.random()),
    };
    let plies: Vec<Ply> = turns[begun..].iter().map(&mut ply).collect();
    let control: TimeControl = "10s/1m/100/0/80t".parse().unwrap();
    let names = ["tusk", "zhong: 2 - 1", "aei:python3 bot.py # mine"];
    let first = rng.random_range(0..3);
    Record {
        game: GameName::Arimaa,
        number: Some(2 * seed as i64),
        pair: Some(seed as i64 / 2),
        event: "a test, with \"quotes\"".to_string(),
        players: BySide { first: names[first].into(), second: names[(first + 1) % 3].into() },
        versions: BySide { first: "Tusk 0.1".to_string(), second: "Zhong\t2005".to_string() },
        opening: text,
        seed: rng.random(),
        time: TimeSettings { control: Some(control), nodes: Some(1000), ..TimeSettings::default() },
        winner,
        reason: reason.to_string(),
        detail: if reason == "hang" { "it said:\nnothing" } else { "" }.to_string(),
        turns: turns.len(),
        seconds: rng.random_range(0.0..1000.0),
        thinking: BySide { first: rng.random(), second: rng.random() },
        finished: rng.random_range(1e9..2e9),
        plies,
        archive: Cells::new(),
        is_ours: false,
    }
}

fn write(records: &[Record], format: Format) -> String {
    let mut out = Vec::new();
    let mut writer = Writer::new(format);
    writer.begin(&mut out).unwrap();
    for record in records {
        assert_eq!(writer.write(record, &mut out).unwrap(), Written::Whole);
    }
    String::from_utf8(out).unwrap()
}

fn read_all(text: &str) -> Vec<Record> {
    let entries = read(text.as_bytes(), "games", Army::Full);
    let record =
        |entry: Entry| entry.record.unwrap_or_else(|fault| panic!("{}: {fault}", entry.place));
    entries.into_iter().map(record).collect()
}

/// As a store gives it back.
fn kept(records: Vec<Record>) -> Vec<Record> {
    let Collection { name, plan, games } = Collection::new(records, None, "games");
    let event = Event { id: 1, name, plan, is_open: false, created: 0.0 };
    games.into_iter().map(|row| Record::of(&event, row)).collect()
}

#[test]
fn what_is_written_is_read_and_written_again_the_same() {
    let games = games(60);
    for format in FORMATS {
        let text = write(&games, format);
        assert_eq!(write(&kept(read_all(&text)), format), text, "{format:?}");
    }
}

#[test]
fn json_keeps_everything() {
    let games = games(60);
    assert!(kept(read_all(&write(&games, Format::Json))) == games);
}

#[test]
fn archives_keep_players_results_and_clocks_and_records_the_turns() {
    let millis = |seconds: f64| (1000.0 * seconds).round() as i64;
    for game in games(20) {
        let of_archive = &read_all(&write(std::slice::from_ref(&game), Format::Archive))[0];
        let of_records = &read_all(&write(std::slice::from_ref(&game), Format::Records))[0];
        for read in [of_archive, of_records] {
            assert_eq!((read.number, &read.event), (game.number, &game.event));
            assert_eq!((&read.players, read.winner), (&game.players, game.winner));
            assert_eq!(read.time.control, game.time.control);
            assert_eq!(read.turns, game.turns);
            let skipped = read.plies.len() - game.plies.len();
            for (read, played) in read.plies[skipped..].iter().zip(&game.plies) {
                assert_eq!(read.turn, played.turn);
            }
        }
        assert_eq!((&of_records.reason, &of_records.detail), (&game.reason, &game.detail));
        let skipped = of_archive.plies.len() - game.plies.len();
        for (read, played) in of_archive.plies[skipped..].iter().zip(&game.plies) {
            assert_eq!(millis(read.seconds), millis(played.seconds));
            assert_eq!(read.reserve.map(millis), played.reserve.map(millis));
        }
    }
}

const START: &str = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                     1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7\n";

const HEADER: &str = "id\twplayerid\tbplayerid\twusername\tbusername\twtitle\tbtitle\twcountry\t\
    bcountry\twrating\tbrating\twratingk\tbratingk\twtype\tbtype\tevent\tsite\ttimecontrol\tpostal\t\
    startts\tendts\tresult\ttermination\tplycount\tmode\trated\tcorrupt\tmovelist\tevents";

/// Three games as arimaa.com tells them: of a bot and a human, of two humans by post, and of somebody with himself.
fn archive() -> String {
    let moves = START.replace('\n', "\\n").replace("1g", "1w").replace("1s", "1b");
    format!(
        "{HEADER}\n\
         70\t4623\t16268\tbot_One\tann\tGM\t\tBY\tIN\t1483\t1574\t30\t31\tb\th\tCasual game\t\
         Over the Net\t2/2/100/10/8\t0\t1320119182\t1320120155\tb\tr\t2\tIGS\t1\t0\t{moves}2w Ee2n\\n\
         2b ee7s \\n3w\t1320119177 [Tue Nov  1 03:46:17 2011] w player joining\\n\
         1320119193 [Tue Nov  1 03:46:33 2011] after 1b, move used:10 wresv:120 bresv:120 game:10\\n\n\
         71\t16268\t9\tann\tbob\t\t\t\tSE\t1400\t0\t120\t0\th\th\tPostal, 2011\tOver the Net\t\
         2m/6m/100/0/7h13s/0\t1\t1320119182\t1320120155\tw\tt\t1\t\t0\t1\t{moves}2w\t\n\
         75\t9\t9\tbob\tbob\t\t\tSE\tSE\t1400\t1400\t0\t0\th\th\t\tHome\tno clock\t0\t5\t4\td\tn\t7\t\t\
         0\t0\t{moves}\t\n"
    )
}

#[test]
fn an_archive_of_arimaa_com_comes_back_byte_for_byte() {
    let text = archive();
    let records = kept(read_all(&text));
    assert_eq!(write(&records, Format::Archive), text);
    // JSON and the store have the same to tell.
    let by_json = kept(read_all(&write(&records, Format::Json)));
    assert_eq!(write(&by_json, Format::Archive), text);
    assert_eq!(records[0].event, "Casual game");
    assert_eq!(records[1].event, "Postal, 2011");
    assert_eq!(records[0].time.control, "2/2/100/10/8".parse().ok());
}

#[test]
fn plain_records_keep_ratings_countries_and_who_is_a_bot() {
    let records = kept(read_all(&archive()));
    let read = kept(read_all(&write(&records, Format::Records)));
    for column in ["wplayerid", "wrating", "wcountry", "wtype", "site", "timecontrol", "mode"] {
        for (kept, read) in records.iter().zip(&read) {
            // What is empty is not told.
            let cell = |record: &Record| record.archive.get(column).cloned().unwrap_or_default();
            assert_eq!(cell(kept), cell(read), "{column}");
        }
    }
}

#[test]
fn a_new_name_shows_in_the_archive_and_the_rest_stays() {
    let mut records = kept(read_all(&archive()));
    for record in &mut records {
        record.players.first = record.players.first.replace("ann", "Ann B.");
        record.players.second = record.players.second.replace("ann", "Ann B.");
    }
    assert_eq!(write(&records, Format::Archive), archive().replace("\tann\t", "\tAnn B.\t"));
}

#[test]
fn games_of_the_same_number_keep_it_in_the_archive() {
    let (first, second) = (archive(), archive().replace("bob", "cid"));
    let games: Vec<Record> = [read_all(&first), read_all(&second)].concat();
    let written = write(&kept(games), Format::Archive);
    let ids: Vec<&str> =
        written.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(ids, ["70", "71", "75", "70", "71", "75"]);
}

#[test]
fn nobody_is_called_a_bot_who_is_not_known_to_be_one() {
    let written = write(&kept(read_all(START)), Format::Archive);
    let cells: Vec<&str> = written.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!(cells[13..=16], ["", "", "games", ""]);
}

#[test]
fn foreign_records_need_no_comments() {
    let text = format!("{START}2g Ee2n\n\n# another\n{START}2g Ee2n Ee3n\n2s resigns\n");
    let games = read_all(&text);
    assert_eq!(games.len(), 2);
    assert_eq!((games[0].winner, games[0].reason.as_str()), (None, "unfinished"));
    assert_eq!((games[1].winner, games[1].reason.as_str()), (Some(GOLD), "resignation"));
    assert_eq!(games[0].players, BySide { first: "Gold".into(), second: "Silver".into() });
    assert_eq!((games[0].turns, games[1].turns), (3, 3));
    assert_eq!(kept(games)[1].number, Some(2));
}

#[test]
fn records_of_one_line_are_read_and_so_are_capital_turn_names() {
    let turns = format!("{START}2g Ee2n\n2s ee7s");
    let one_line = turns.replace('\n', "  ");
    let capitals = turns.replace("g ", "G ").replace("s ", "S ").replace("1s", "1S");
    let all = format!("{one_line}\n{capitals}\n{one_line}");
    for (text, count) in [(&one_line, 1), (&capitals, 1), (&all, 3)] {
        let turns: Vec<usize> = read_all(text).iter().map(|game| game.turns).collect();
        assert_eq!(turns, vec![4; count], "{text}");
    }
    let refused = read(format!("\n{one_line} 3g Ee3s Ee2s").as_bytes(), "games", Army::Full);
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].place.line, 2);
    assert!(refused[0].record.as_ref().unwrap_err().starts_with("turn 3g"));
}

#[test]
fn headers_tell_who_played_and_who_won() {
    let tags = "[Event \"Club\"]\n[White \"Ann: 1\"]\n[Black \"Bob\"]\n[WhiteElo \"1500\"]\n\
                [TimeControl \"1s/0/0\"]\n[Round \"3\"]\n[Result \"0-1\"]\n\n";
    let lines = "Event: Club\nGold: Ann: 1\nSilver: Bob\nwrating: 1500\nTime control: 1s/0/0\n\
                 Round: 3\nResult: silver\n";
    for headers in [tags, lines] {
        let text = format!("{headers}{START}2g Ee2n\n");
        let games = read_all(&format!("{text}\n{text}"));
        assert_eq!(games.len(), 2, "{headers}");
        for game in games {
            assert_eq!((game.event.as_str(), game.winner), ("Club", Some(SILVER)));
            assert_eq!(game.players, BySide { first: "Ann: 1".into(), second: "Bob".into() });
            assert_eq!(game.archive["wrating"], "1500");
            assert_eq!(game.time.control, "1s/0/0".parse().ok());
        }
    }
}

#[test]
fn a_setup_that_is_taken_back_does_not_begin_a_game() {
    let (gold, silver) = START.split_once('\n').unwrap();
    let text = format!("{gold}\n1g takeback\n{gold}\n{silver}2g Ee2n\n{START}");
    assert_eq!(read_all(&text).iter().map(|game| game.turns).collect::<Vec<_>>(), [3, 2]);
}

#[test]
fn a_game_that_is_refused_does_not_hide_the_others() {
    let records = format!("{START}2g Ee2n\n\n{START}\n2g Ee2s\n\n{START}2g Ee2n\n");
    let archive = format!(
        "id\tmovelist\tresult\tevents\n1\t{turns}2w Ee2n\tb\t\n2\t\tw\t\n3\t{turns}2w Ee2n\tx\t\n\
         4\t{turns}2w\tw\t\n",
        turns = START.replace('\n', "\\n")
    );
    let json = "{\"first\": \"a\"}\n{\"first\":\"a\",\"second\":\"b\",\"reason\":\"crash\",\"plies\":[]}\n\
                {\"first\":\"a\",\"second\":\"b\",\"winner\":\"c\",\"plies\":[]}\n";
    for (text, expected) in [
        (records.as_str(), vec![None, Some(8), None]),
        (archive.as_str(), vec![None, Some(3), Some(4), None]),
        (json, vec![Some(1), None, Some(3)]),
    ] {
        let entries = read(text.as_bytes(), "games", Army::Full);
        let refused: Vec<Option<usize>> =
            entries.iter().map(|entry| entry.record.is_err().then_some(entry.place.line)).collect();
        assert_eq!(refused, expected, "{text}");
    }
}

#[test]
fn a_result_that_the_board_denies_is_refused() {
    let mut game = games(200).into_iter().find(|game| game.reason == "goal").expect("a goal");
    let claims = |game: &Record| {
        let entries =
            read(write(std::slice::from_ref(game), Format::Json).as_bytes(), "", Army::Full);
        entries[0].record.clone().err().unwrap_or_default()
    };
    assert_eq!(claims(&game), "");
    game.winner = game.winner.map(|side| !side);
    assert!(claims(&game).starts_with("the result says that"), "{}", claims(&game));
    game.winner = game.winner.map(|side| !side);
    game.plies.pop();
    assert!(claims(&game).ends_with("are there turns missing?"), "{}", claims(&game));
}

#[test]
fn a_game_that_begins_at_a_position_has_no_record() {
    let position = "s [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let ply = Ply { turn: "ed7s".to_string(), ..Ply::default() };
    let mut record = Record { opening: position.to_string(), plies: vec![ply], ..game(1) };
    record.turns = 1;
    (record.winner, record.reason) = (Some(GOLD), "crash".to_string());
    for format in [Format::Archive, Format::Records] {
        let mut out = Vec::new();
        let written = Writer::new(format).write(&record, &mut out).unwrap();
        assert_eq!((written, out.is_empty()), (Written::LeftOut, true));
    }
    assert!(read_all(&write(std::slice::from_ref(&record), Format::Json)) == [record]);
}

#[test]
fn who_plays_both_sides_is_told_apart() {
    let mut game = game(3);
    game.players.second = game.players.first.clone();
    let kept = &kept(vec![game.clone()])[0];
    assert_eq!(kept.players.second, format!("{} (2)", game.players.first));
}
