//! Searches on threads of their own, shared fairly among the clients.
//!
//! A client is a connection. Each has a few searches at a time, and all together have a limit too; the others wait.
//! When one ends, the client that has the fewest running comes next, of those the one that has waited longest since it began
//! one, and of its searches that of the highest priority. The threads that run share the processor as the system sees fit, which is evenly.
//!
//! All searches that run share one budget of memory. One for which there is not enough left waits, and its client hears of that; meanwhile
//! others that need less may begin.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::Stop;
use guard::search_thread;

use crate::api::Refusal;

/// A connection.
pub type Client = u64;

/// What is to be done, until the stop is requested.
pub type Work = Box<dyn FnOnce(&Stop) + Send>;

/// Sends a client the reason why its search waits for memory.
pub type TellWaiting = Box<dyn FnOnce(&str) + Send>;

/// A search that a client asks for.
pub struct Search {
    /// By which its client knows it.
    pub id: String,
    pub priority: i32,
    /// The memory that it takes, in MiB.
    pub mebibytes: usize,
    pub work: Work,
    pub tell_waiting: TellWaiting,
}

/// How many searches there may be.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// At a time.
    pub running: usize,
    /// The memory of those that run at a time, in MiB.
    pub mebibytes: usize,
    /// At a time, of one client.
    pub of_client: usize,
    /// Waiting, of one client.
    pub waiting: usize,
}

/// All searches that run or wait.
#[derive(Clone)]
pub struct Searches {
    most: Most,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    next_client: Client,
    next_order: u64,
    /// When each client has begun a search last.
    begun: HashMap<Client, u64>,
    running: Vec<Running>,
    waiting: Vec<Waiting>,
}

struct Running {
    client: Client,
    id: String,
    order: u64,
    mebibytes: usize,
    stop: Stop,
}

struct Waiting {
    client: Client,
    id: String,
    priority: i32,
    order: u64,
    mebibytes: usize,
    work: Work,
    /// None, once the client has the message that the search waits for memory.
    tell_waiting: Option<TellWaiting>,
}

impl Searches {
    pub fn new(most: Most) -> Searches {
        Searches { most, state: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A client that nobody else is.
    pub fn new_client(&self) -> Client {
        let mut state = self.state();
        state.next_client += 1;
        state.next_client
    }

    /// Refuses a search that [`Searches::begin`] would refuse.
    pub fn check(&self, client: Client, id: &str, mebibytes: usize) -> Result<(), Refusal> {
        self.state().check(client, id, mebibytes, self.most)
    }

    /// Begins a search as soon as there is room for it.
    pub fn begin(&self, client: Client, search: Search) -> Result<(), Refusal> {
        let Search { id, priority, mebibytes, work, tell_waiting } = search;
        let mut state = self.state();
        state.check(client, &id, mebibytes, self.most)?;
        state.next_order += 1;
        let order = state.next_order;
        let tell_waiting = Some(tell_waiting);
        state.waiting.push(Waiting { client, id, priority, order, mebibytes, work, tell_waiting });
        self.start_next(&mut state);
        Ok(())
    }

    /// Stops a search, or takes it from those that wait; returns whether there was one.
    pub fn cancel(&self, client: Client, id: &str) -> bool {
        let mut state = self.state();
        let is_it = |of: Client, with: &str| of == client && with == id;
        let before = state.waiting.len();
        state.waiting.retain(|waiting| !is_it(waiting.client, &waiting.id));
        let running = state.running.iter().find(|running| is_it(running.client, &running.id));
        running.inspect(|running| running.stop.request()).is_some() || state.waiting.len() < before
    }

    /// Ends everything that a client has asked for.
    pub fn leave(&self, client: Client) {
        let mut state = self.state();
        state.waiting.retain(|waiting| waiting.client != client);
        state.begun.remove(&client);
        let own = state.running.iter().filter(|running| running.client == client);
        own.for_each(|running| running.stop.request());
    }

    /// Ends everything.
    pub fn end_all(&self) {
        let mut state = self.state();
        state.waiting.clear();
        state.running.iter().for_each(|running| running.stop.request());
    }

    /// How many searches run, and how many wait.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.state();
        (state.running.len(), state.waiting.len())
    }

    fn start_next(&self, state: &mut State) {
        while let Some(index) = state.next(self.most) {
            let Waiting { client, id, order, mebibytes, work, .. } = state.waiting.remove(index);
            let stop = Stop::new();
            state.next_order += 1;
            let now = state.next_order;
            state.begun.insert(client, now);
            state.running.push(Running { client, id, order, mebibytes, stop: stop.clone() });
            let searches = self.clone();
            let spawned = search_thread(&format!("search {order}")).spawn(move || {
                give_way();
                // What panics has told so on standard error; the others go on.
                let _ = catch_unwind(AssertUnwindSafe(|| work(&stop)));
                searches.ended(order);
            });
            if spawned.is_err() {
                // The work is dropped, and whoever waits for its reports hears that.
                state.running.retain(|running| running.order != order);
            }
        }
        state.tell_who_waits_for_memory(self.most);
    }

    fn ended(&self, order: u64) {
        let mut state = self.state();
        state.running.retain(|running| running.order != order);
        self.start_next(&mut state);
    }
}

/// Lets the threads of the server, which answer at once, go before this one and those that it starts. Without that, fifty
/// searches on two cores keep the page waiting for seconds.
fn give_way() {
    // On Linux, this is for one thread; elsewhere it would be for the whole program.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

/// At 10, a thread has a tenth of the weight of one at 0.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

impl State {
    fn check(&self, client: Client, id: &str, mebibytes: usize, most: Most) -> Result<(), Refusal> {
        if self.has(client, id) {
            return Err(Refusal::new(format!("a search with the id {id:?} is under way already")));
        }
        if mebibytes > most.mebibytes {
            return Err(Refusal::new(format!(
                "memory: the search takes {mebibytes} MiB, and the server has {} MiB for all searches: ask for less",
                most.mebibytes
            )));
        }
        let waiting = self.waiting.iter().filter(|waiting| waiting.client == client).count();
        match waiting >= most.waiting {
            true => Err(Refusal::busy(format!(
                "{waiting} searches of this connection wait already: cancel some"
            ))),
            false => Ok(()),
        }
    }

    fn has(&self, client: Client, id: &str) -> bool {
        let waits = self.waiting.iter().any(|it| it.client == client && it.id == id);
        waits || self.running.iter().any(|it| it.client == client && it.id == id)
    }

    /// Which of those that wait comes next.
    fn next(&self, most: Most) -> Option<usize> {
        let free = self.free_mebibytes(most);
        let fitting = self.allowed(most).into_iter();
        let fitting = fitting.filter(|&index| self.waiting[index].mebibytes <= free);
        let begun = |client: Client| self.begun.get(&client).copied().unwrap_or(0);
        fitting.min_by_key(|&index| {
            let it = &self.waiting[index];
            let running = self.running_of(it.client);
            (running, begun(it.client), -i64::from(it.priority), it.order)
        })
    }

    /// Those that wait and would run if there were memory enough.
    fn allowed(&self, most: Most) -> Vec<usize> {
        if self.running.len() >= most.running {
            return Vec::new();
        }
        let waiting = self.waiting.iter().enumerate();
        let allowed = waiting.filter(|(_, it)| self.running_of(it.client) < most.of_client);
        allowed.map(|(index, _)| index).collect()
    }

    fn running_of(&self, client: Client) -> usize {
        self.running.iter().filter(|it| it.client == client).count()
    }

    fn free_mebibytes(&self, most: Most) -> usize {
        let taken: usize = self.running.iter().map(|it| it.mebibytes).sum();
        most.mebibytes.saturating_sub(taken)
    }

    /// Sends each client one message, if its search waits only for memory.
    fn tell_who_waits_for_memory(&mut self, most: Most) {
        let free = self.free_mebibytes(most);
        for index in self.allowed(most) {
            let waiting = &mut self.waiting[index];
            if let Some(tell) = waiting.tell_waiting.take() {
                tell(&format!(
                    "the search waits for memory: it takes {} MiB, and {free} of {} MiB are free",
                    waiting.mebibytes, most.mebibytes
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    use std::thread;

    use super::*;

    fn searches(running: usize, of_client: usize) -> Searches {
        Searches::new(Most { running, mebibytes: 100, of_client, waiting: 3 })
    }

    /// A search that takes no memory.
    fn search(id: &str, priority: i32, work: Work) -> Search {
        Search {
            id: id.to_string(),
            priority,
            mebibytes: 0,
            work,
            tell_waiting: Box::new(|reason| panic!("{reason}")),
        }
    }

    /// Runs until it is stopped, and tells its name then.
    fn endless(name: &'static str, told: &mpsc::Sender<&'static str>) -> Work {
        let told = told.clone();
        Box::new(move |stop| {
            while !stop.is_requested() {
                thread::sleep(Duration::from_millis(1));
            }
            let _ = told.send(name);
        })
    }

    fn told(name: &'static str, told: &mpsc::Sender<&'static str>) -> Work {
        let told = told.clone();
        Box::new(move |_| {
            let _ = told.send(name);
        })
    }

    fn wait_until(searches: &Searches, counts: (usize, usize)) {
        let begin = Instant::now();
        while searches.counts() != counts {
            assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", searches.counts());
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn whoever_has_waited_longest_comes_next_with_the_highest_of_its_priorities() {
        let searches = searches(1, 1);
        let (one, other) = (searches.new_client(), searches.new_client());
        let (sender, receiver) = mpsc::channel();
        searches.begin(one, search("a", 0, endless("a", &sender))).unwrap();
        searches.begin(one, search("low", 0, told("low", &sender))).unwrap();
        searches.begin(one, search("high", 5, told("high", &sender))).unwrap();
        searches.begin(other, search("b", 0, told("b", &sender))).unwrap();
        assert!(searches.cancel(one, "a"));
        let order: Vec<&str> = receiver.iter().take(4).collect();
        assert_eq!(order, ["a", "b", "high", "low"]);
    }

    #[test]
    fn a_client_that_leaves_takes_its_searches_along() {
        let searches = searches(8, 2);
        let client = searches.new_client();
        let (sender, _receiver) = mpsc::channel();
        for id in ["a", "b", "c"] {
            searches.begin(client, search(id, 0, endless("x", &sender))).unwrap();
        }
        assert_eq!(searches.counts(), (2, 1));
        searches.leave(client);
        wait_until(&searches, (0, 0));
    }

    #[test]
    fn an_id_is_used_once_and_not_too_many_wait() {
        let searches = searches(1, 1);
        let client = searches.new_client();
        let (sender, _receiver) = mpsc::channel();
        searches.begin(client, search("a", 0, endless("a", &sender))).unwrap();
        assert_eq!(
            searches.begin(client, search("a", 0, told("a", &sender))).unwrap_err().status,
            400
        );
        for id in ["b", "c", "d"] {
            searches.begin(client, search(id, 0, told("x", &sender))).unwrap();
        }
        assert_eq!(
            searches.begin(client, search("e", 0, told("e", &sender))).unwrap_err().status,
            429
        );
        assert!(searches.cancel(client, "d"));
        assert!(!searches.cancel(client, "d"));
        searches.end_all();
        wait_until(&searches, (0, 0));
    }

    #[test]
    fn a_search_that_panics_leaves_its_place_to_the_next() {
        let searches = searches(1, 1);
        let client = searches.new_client();
        let (sender, receiver) = mpsc::channel();
        searches.begin(client, search("a", 0, Box::new(|_| panic!("as the test wants")))).unwrap();
        searches.begin(client, search("b", 0, told("b", &sender))).unwrap();
        assert_eq!(receiver.recv(), Ok("b"));
    }

    #[test]
    fn a_search_waits_for_memory_and_its_client_is_told_once() {
        let searches = searches(8, 8);
        let client = searches.new_client();
        let (sender, receiver) = mpsc::channel();
        let with_memory = |id, mebibytes, work| {
            let sender = sender.clone();
            let tell_waiting = Box::new(move |reason: &str| {
                assert_eq!(
                    reason,
                    "the search waits for memory: it takes 50 MiB, and 40 of 100 MiB are free"
                );
                sender.send("waits").unwrap();
            });
            Search { mebibytes, tell_waiting, ..search(id, 0, work) }
        };
        searches.begin(client, with_memory("a", 60, endless("a", &sender))).unwrap();
        searches.begin(client, with_memory("b", 50, told("b", &sender))).unwrap();
        assert_eq!(receiver.recv(), Ok("waits"));
        // What needs less goes on meanwhile.
        searches.begin(client, with_memory("c", 40, told("c", &sender))).unwrap();
        assert_eq!(receiver.recv(), Ok("c"));
        assert!(searches.cancel(client, "a"));
        assert_eq!([0; 2].map(|_| receiver.recv().unwrap()), ["a", "b"]);
        let refused = searches.begin(client, with_memory("d", 101, told("d", &sender)));
        assert_eq!(refused.unwrap_err().status, 400);
    }

    #[test]
    fn a_search_has_room_for_deep_recursion() {
        /// Recursion that the compiler cannot leave out.
        fn sum(depth: u32) -> u64 {
            let page = std::hint::black_box([u64::from(depth); 512]);
            if depth == 0 { 0 } else { page[0] + sum(depth - 1) }
        }
        let searches = searches(1, 1);
        let (sender, receiver) = mpsc::channel();
        // At least 4 KiB each: 16 MiB in all.
        let deep: Work = Box::new(move |_| sender.send(sum(4 << 10)).unwrap());
        searches.begin(searches.new_client(), search("a", 0, deep)).unwrap();
        assert_eq!(receiver.recv(), Ok((0..=4 << 10).sum()));
    }
}
