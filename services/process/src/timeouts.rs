use std::time::Duration;

/// How long a program is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// For its answer to the first line it is told. The Arimaa Engine Interface gives it five
    /// seconds.
    pub greeting: Duration,
    /// Until it says that it is ready. The Arimaa Engine Interface gives it fifteen seconds.
    pub ready: Duration,
    /// For a turn that is overdue, after it was told to stop.
    pub grace: Duration,
    /// For a turn without a clock. A limit of depth or nodes ends in its own time, but a match must
    /// not stand still for ever.
    pub untimed: Duration,
    /// For its end, after it was told to quit or has closed its output.
    pub farewell: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            greeting: Duration::from_secs(5),
            ready: Duration::from_secs(15),
            grace: Duration::from_secs(5),
            untimed: Duration::from_secs(3600),
            farewell: Duration::from_secs(1),
        }
    }
}
