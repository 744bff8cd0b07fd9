use std::time::Duration;

use engine::Limits;
use game::Steps;

use crate::TimeControl;

/// The time of one turn.
///
/// [`Clock::limits`] makes of it a soft limit, which is what a turn should take, and a hard one,
/// when the answer must be there. The policy, all of it here:
///
/// 1. **Never late.** What is left is the time of a move and the reserve, less what has gone,
///    and at most what `tcturntime` and the end of the game leave. Of that, `margin` is kept
///    back for the way to the controller and for a busy machine. The controller sends whole
///    seconds, rounded down, so that a reserve may be up to a second larger than it seems: that
///    is never counted on.
/// 2. **Save first.** A turn aims at `AIM` of its own time while the rest goes to the reserve: a
///    hard turn is worth more than an easy one. When nothing can be saved (`tcpercent` 0, a full
///    reserve), it aims at all of its own time.
/// 3. **Spend evenly.** In addition it aims at the reserve divided by the turns to come, at most
///    `TURNS_AHEAD` of them, fewer where `tcturns` ends the game sooner. With 100 percent and no
///    maximum, points 2 and 3 are in balance at a reserve of four times the time of a move.
/// 4. **Hard turns** may take `BOLD` of the reserve at once, or an even share of it if
///    that is more.
/// 5. **The end of the game** by `tctotal` is decided by the pieces on the board: to play on until then
///    is worth more than a deep search. So a turn aims at an eighth of what is left of the game, and
///    takes at most half.
/// 6. **No time control** at all: the depth decides, or else `UNTOLD`, because a controller without
///    a clock may wait for an answer forever.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    /// The time control of the game.
    pub control: TimeControl,
    /// What is left of the reserve.
    pub reserve: Duration,
    /// How much of this turn's time has gone.
    pub used: Duration,
    /// The number of the turn, the setup being turn 1.
    pub turn: u32,
    /// How long the game has lasted.
    pub game_used: Duration,
}

/// How long a turn takes when nobody says anything about time.
const UNTOLD: Duration = Duration::from_secs(5);

/// The part of its own time that a turn aims at while time can be saved.
const AIM: f64 = 0.8;

/// Over how many turns the reserve is spread. Games of the archive of February 2026 have 31 turns of each
/// side in the median, 36 on average: about so many remain after the opening.
const TURNS_AHEAD: u32 = 20;

/// How much of the reserve a single turn may take.
const BOLD: f64 = 0.25;

/// What is kept back of so much time: 50 ms and 2 %, at most 1 s, and never more than half.
///
/// pyrimaa sees a line some milliseconds after it was written, and up to some tens when all cores
/// are busy.
fn margin(left: Duration) -> Duration {
    let wanted = Duration::from_millis(50) + left / 50;
    wanted.min(Duration::from_secs(1)).min(left / 2)
}

impl Clock {
    /// The limits of the turn.
    pub fn limits(&self, depth: Option<Steps>) -> Limits {
        let limits = Limits { depth, ..Limits::default() };
        if !self.is_told() {
            let hard = depth.is_none().then_some(UNTOLD);
            return Limits { hard, ..limits };
        }
        let left = self.left();
        let latest = left - margin(left);
        let hard = self.most().min(latest);
        let soft = self.aim().min(hard);
        Limits { soft: Some(soft), hard: Some(hard), ..limits }
    }

    /// What the reserve will be after a turn that took so long in all.
    pub fn reserve_after(&self, spent: Duration) -> Duration {
        let per_move = self.control.per_move;
        if spent > per_move {
            return self.reserve.saturating_sub(spent - per_move);
        }
        // A setup adds nothing to the reserve: so does pyrimaa count.
        let saved = if self.turn > 1 { self.control.percent / 100.0 } else { 0.0 };
        let saved = (per_move - spent).as_secs_f64() * saved;
        let reserve = self.reserve + crate::time_control::seconds(saved);
        self.control.max_reserve.map_or(reserve, |max| reserve.min(max))
    }

    /// Whether a time for moves or a reserve is told; else only turns or the game have a limit, if
    /// anything has.
    fn has_own(&self) -> bool {
        let told = [self.control.per_move, self.control.reserve, self.reserve];
        told.iter().any(|time| !time.is_zero())
    }

    /// Whether anything is said about time.
    pub fn is_told(&self) -> bool {
        self.has_own() || self.control.total.is_some() || self.control.turn_time.is_some()
    }

    /// What is left until the turn would be late, if it can be. The end of the game is another matter:
    /// nobody is late then.
    pub fn latest(&self) -> Option<Duration> {
        let own = self.has_own().then(|| self.control.per_move + self.reserve);
        let turn = [own, self.control.turn_time].into_iter().flatten().min();
        turn.map(|time| time.saturating_sub(self.used))
    }

    /// What is left until the turn would be late or the game is over.
    fn left(&self) -> Duration {
        [self.latest(), self.rest_of_game()].into_iter().flatten().min().unwrap_or(UNTOLD)
    }

    fn rest_of_game(&self) -> Option<Duration> {
        self.control.total.map(|total| total.saturating_sub(self.game_used))
    }

    /// What is left of the turn's own time, before the reserve is touched.
    fn own(&self) -> Duration {
        let TimeControl { per_move, turn_time, .. } = self.control;
        turn_time.map_or(per_move, |most| per_move.min(most)).saturating_sub(self.used)
    }

    /// The reserve as it will be if the turn's own time is used up; a controller may say more than
    /// the maximum allows.
    fn spare(&self) -> Duration {
        let reserve = self.control.max_reserve.map_or(self.reserve, |max| self.reserve.min(max));
        reserve.saturating_sub(self.used.saturating_sub(self.control.per_move))
    }

    /// How many turns the reserve has to last, this one included.
    fn turns_ahead(&self) -> u32 {
        let last = self.control.turns.unwrap_or(u32::MAX);
        (last.saturating_sub(self.turn).saturating_add(1)).clamp(1, TURNS_AHEAD)
    }

    /// Whether time that is not used is worth anything.
    fn saves(&self) -> bool {
        let full = self.control.max_reserve.is_some_and(|max| self.reserve >= max);
        self.control.percent > 0.0 && !full && self.turns_ahead() > 1
    }

    /// What the turn should take.
    fn aim(&self) -> Duration {
        let own = if self.saves() { self.own().mul_f64(AIM) } else { self.own() };
        let spread = own + self.spare() / self.turns_ahead();
        let aim = if self.has_own() { spread } else { self.left() };
        self.rest_of_game().map_or(aim, |rest| aim.min(rest / 8))
    }

    /// What the turn may take, if it is a hard one.
    fn most(&self) -> Duration {
        let share = BOLD.max(1.0 / f64::from(self.turns_ahead()));
        let bold = self.own() + self.spare().mul_f64(share);
        let most = if self.has_own() { bold } else { self.left() };
        self.rest_of_game().map_or(most, |rest| most.min(rest / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_control::seconds;

    /// A time control, the reserve, what has gone of the turn, the turn, what has gone of the game;
    /// then the soft limit and the hard one, in seconds.
    type Case = (&'static str, f64, f64, u32, f64, f64, f64);

    const CASES: &[Case] = &[
        // The usual: a reserve of four moves is in balance.
        ("30s/2m", 120.0, 0.0, 10, 0.0, 30.0, 60.0),
        ("30s/0", 0.0, 0.0, 10, 0.0, 24.0, 29.35),
        // Nothing can be saved: the move's own time, less the margin.
        ("30s/0/0", 0.0, 0.0, 10, 0.0, 29.35, 29.35),
        ("30s/1m/100/1m", 60.0, 0.0, 10, 0.0, 33.0, 45.0),
        // Blitz in whole seconds: an empty reserve, and a full one.
        ("0.2s/1s", 0.0, 0.0, 10, 0.0, 0.146, 0.146),
        ("0.2s/1s", 1.0, 0.0, 10, 0.0, 0.21, 0.45),
        // Less time than the margin wants.
        ("0.02s/0", 0.0, 0.0, 10, 0.0, 0.01, 0.01),
        // A reserve alone, and what is left of it in the end.
        ("0/5m", 300.0, 0.0, 10, 0.0, 15.0, 75.0),
        ("0/5m", 1.0, 0.0, 10, 0.0, 0.05, 0.25),
        ("0/5m", 0.0, 0.0, 10, 0.0, 0.0, 0.0),
        // Some of the turn has gone: of its own time first, then of the reserve.
        ("30s/2m", 120.0, 20.0, 10, 0.0, 14.0, 40.0),
        ("30s/2m", 120.0, 50.0, 10, 0.0, 5.0, 25.0),
        ("30s/2m", 120.0, 200.0, 10, 0.0, 0.0, 0.0),
        // A turn may not take longer than so, whatever the reserve.
        ("30s/5m/100/0/0/40s", 300.0, 0.0, 10, 0.0, 39.0, 39.15),
        ("30s/5m/100/0/0/20s", 300.0, 0.0, 10, 0.0, 19.55, 19.55),
        ("30s/5m/100/0/0/40s", 300.0, 38.0, 10, 0.0, 1.91, 1.91),
        // A reserve above its maximum counts no more than that.
        ("30s/5m/100/1m", 300.0, 0.0, 10, 0.0, 33.0, 45.0),
        // The last turns share what is left.
        ("30s/2m/100/0/50t", 120.0, 0.0, 49, 0.0, 84.0, 90.0),
        ("30s/2m/100/0/50t", 120.0, 0.0, 50, 0.0, 149.0, 149.0),
        ("30s/2m/100/0/50t", 120.0, 0.0, 60, 0.0, 149.0, 149.0),
        // The game ends soon, now, or has ended.
        ("30s/2m/100/0/1h", 120.0, 0.0, 10, 0.0, 30.0, 60.0),
        ("30s/2m/100/0/1h", 120.0, 0.0, 10, 3520.0, 10.0, 40.0),
        ("30s/2m/100/0/1h", 120.0, 0.0, 10, 3599.9, 0.0125, 0.05),
        ("30s/2m/100/0/1h", 120.0, 0.0, 10, 4000.0, 0.0, 0.0),
        // Nothing but a limit of a turn, or of the game.
        ("0/0/100/0/0/10s", 0.0, 0.0, 10, 0.0, 9.75, 9.75),
        ("0/0/100/0/80s", 0.0, 0.0, 10, 0.0, 10.0, 40.0),
    ];

    fn clock(&(control, reserve, used, turn, game_used, ..): &Case) -> Clock {
        let control = control.parse().unwrap();
        Clock {
            control,
            reserve: seconds(reserve),
            used: seconds(used),
            turn,
            game_used: seconds(game_used),
        }
    }

    #[test]
    fn limits_are_as_the_table_says() {
        for case in CASES {
            let limits = clock(case).limits(None);
            let near = |found: Option<Duration>, expected: f64| {
                (found.unwrap().as_secs_f64() - expected).abs() < 0.002
            };
            assert!(near(limits.soft, case.5) && near(limits.hard, case.6), "{case:?}: {limits:?}");
        }
    }

    #[test]
    fn no_turn_is_ever_late() {
        for case in CASES {
            let clock = clock(case);
            let (soft, hard) = (clock.limits(None).soft.unwrap(), clock.limits(None).hard.unwrap());
            let gone = clock.used + hard;
            assert!(soft <= hard, "{case:?}");
            let within = |most: Duration| gone < most || hard.is_zero();
            let control = clock.control;
            let own = control.per_move + clock.reserve;
            assert!(own.is_zero() || within(own), "{case:?}");
            assert!(control.turn_time.is_none_or(within), "{case:?}");
            let game_left = control.total.map(|total| total.saturating_sub(clock.game_used));
            assert!(game_left.is_none_or(|left| hard < left || hard.is_zero()), "{case:?}");
        }
    }

    #[test]
    fn without_a_clock_the_depth_decides_or_else_a_few_seconds() {
        let clock = clock(&("0/0", 0.0, 0.0, 1, 0.0, 0.0, 0.0));
        assert_eq!(clock.limits(None), Limits::time(UNTOLD));
        assert_eq!(clock.limits(Some(Steps(8))), Limits::depth(Steps(8)));
    }

    /// A player who takes the whole hard limit each time, and a controller that tells whole seconds
    /// and is 40 ms slow.
    #[test]
    fn the_reserve_lasts_for_a_player_who_always_takes_the_most() {
        for control in ["0.2s/1s", "1s/0", "2s/10s/50/10s", "0/5m", "15s/1m/0"] {
            let control: TimeControl = control.parse().unwrap();
            let mut clock = Clock {
                control,
                reserve: control.reserve,
                used: Duration::ZERO,
                turn: 2,
                game_used: Duration::ZERO,
            };
            for turn in 2..100 {
                let told = Clock { reserve: Duration::from_secs(clock.reserve.as_secs()), ..clock };
                let spent = told.limits(None).hard.unwrap();
                if told.left().is_zero() {
                    assert!(control.per_move.is_zero(), "{control}: nothing left at turn {turn}");
                    break;
                }
                let spent = spent + Duration::from_millis(40);
                assert!(spent < control.per_move + clock.reserve, "{control}: late at turn {turn}");
                clock.reserve = clock.reserve_after(spent);
            }
        }
    }
}
