//! The connections of the server: how many an address may have, and which one is closed to make room for a new one.
//!
//! A connection waits for its client while the rest of a request is missing, between two requests, and while an answer is
//! read. Where there is no room for a new connection, the one that has waited longest is closed. So a client that sends its request
//! at once is served, however many silent connections there are, of its own address or of others.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::AbortHandle;

use crate::api::Refusal;

/// The most of something at a time.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Of all addresses together.
    pub all: usize,
    /// Of one address; the rest is a reserve for the others.
    pub of_address: usize,
}

/// The most connections at a time.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub connections: Share,
    pub uploads: Share,
    pub sockets: Share,
}

/// What a connection is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Requests, one after the other.
    Requests,
    /// A file that a client sends.
    Upload,
    /// A WebSocket.
    Socket,
}

/// All connections that are open.
#[derive(Clone)]
pub struct Connections {
    room: Room,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    next: u64,
    /// By number.
    open: BTreeMap<u64, Open>,
}

struct Open {
    address: IpAddr,
    used_for: Use,
    /// Since when it waits for its client, in the order in which connections have begun to; none, while the server works on
    /// an answer.
    waits_since: Option<u64>,
    task: Option<AbortHandle>,
}

impl Connections {
    /// None yet.
    pub fn new(room: Room) -> Connections {
        Connections { room, state: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a new connection. If need be, one that waits is closed for it. None, if there is no room.
    pub fn admit(&self, address: IpAddr) -> Option<Arc<OpenConnection>> {
        let address = shared_address(address);
        let Share { all, of_address } = self.room.connections;
        let mut state = self.state();
        if state.count(|open| open.address == address) >= of_address {
            state.close_longest_waiting(Some(address))?;
        }
        if state.open.len() >= all {
            state.close_longest_waiting(None)?;
        }
        let number = state.tick();
        let used_for = Use::Requests;
        let open = Open { address, used_for, waits_since: Some(number), task: None };
        state.open.insert(number, open);
        Some(Arc::new(OpenConnection { connections: self.clone(), number, address }))
    }

    /// Closes the connection that has waited longest; returns whether there was one.
    pub fn make_room(&self) -> bool {
        self.state().close_longest_waiting(None).is_some()
    }
}

impl State {
    /// A number that was never there.
    fn tick(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn count(&self, is_counted: impl Fn(&Open) -> bool) -> usize {
        self.open.values().filter(|open| is_counted(open)).count()
    }

    /// Closes the connection of an address that has waited longest; without an address, one of the address that has the
    /// most connections. None, if no connection waits.
    fn close_longest_waiting(&mut self, address: Option<IpAddr>) -> Option<()> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        self.open.values().for_each(|open| *counts.entry(open.address).or_default() += 1);
        let waiting = self.open.iter().filter_map(|(&number, open)| {
            let is_meant = address.is_none_or(|address| address == open.address);
            let since = open.waits_since.filter(|_| is_meant)?;
            Some((std::cmp::Reverse(counts[&open.address]), since, number))
        });
        let (.., number) = waiting.min()?;
        let closed = self.open.remove(&number)?;
        closed.task.inspect(AbortHandle::abort);
        Some(())
    }
}

/// A connection that is open, and counted until this is dropped.
pub struct OpenConnection {
    connections: Connections,
    number: u64,
    /// Of the client, or the network that it shares its limits with.
    pub address: IpAddr,
}

impl OpenConnection {
    /// Which task serves the connection: that is ended to close it.
    pub fn served_by(&self, task: AbortHandle) {
        match self.connections.state().open.get_mut(&self.number) {
            Some(open) => open.task = Some(task),
            None => task.abort(),
        }
    }

    /// The connection waits for its client from now on.
    pub fn wait(&self) {
        let mut state = self.connections.state();
        let now = state.tick();
        self.change(&mut state, |open| open.waits_since = Some(now));
    }

    /// The server works on an answer from now on.
    pub fn work(&self) {
        self.change(&mut self.connections.state(), |open| open.waits_since = None);
    }

    /// A request is answered: the connection waits for the client to read it, and to ask again.
    pub fn finish_request(&self) {
        self.wait();
        self.change(&mut self.connections.state(), |open| {
            if open.used_for == Use::Upload {
                open.used_for = Use::Requests;
            }
        });
    }

    /// The connection is used for that from now on; refused, if there are too many such connections.
    pub fn use_for(&self, used_for: Use) -> Result<(), Refusal> {
        let room = self.connections.room;
        let (Share { all, of_address }, what) = match used_for {
            Use::Requests => (room.connections, "connections are open"),
            Use::Upload => (room.uploads, "files are being sent"),
            Use::Socket => (room.sockets, "pages are open"),
        };
        let mut state = self.connections.state();
        let is_same = |open: &Open| open.used_for == used_for;
        let own = state.count(|open| is_same(open) && open.address == self.address);
        if own >= of_address || state.count(is_same) >= all {
            let message = format!("too many {what}: wait a little");
            return Err(Refusal { status: 503, message });
        }
        self.change(&mut state, |open| open.used_for = used_for);
        Ok(())
    }

    fn change(&self, state: &mut State, change: impl FnOnce(&mut Open)) {
        if let Some(open) = state.open.get_mut(&self.number) {
            change(open);
        }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.state().open.remove(&self.number);
    }
}

/// The address that limits are for: all addresses of a usual IPv6 network (64 bits) belong to one client.
fn shared_address(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    fn connections() -> Connections {
        let few = Share { all: 2, of_address: 1 };
        let connections = Share { all: 4, of_address: 3 };
        Connections::new(Room { connections, uploads: few, sockets: few })
    }

    fn is_open(connection: &OpenConnection) -> bool {
        connection.connections.state().open.contains_key(&connection.number)
    }

    #[test]
    fn a_new_connection_takes_the_place_of_the_one_that_has_waited_longest() {
        let connections = connections();
        let open: Vec<_> = (0..3).filter_map(|_| connections.admit(ONE)).collect();
        open[0].work();
        open[1].wait();
        let fourth = connections.admit(ONE).unwrap();
        assert_eq!([0, 1, 2].map(|index| is_open(&open[index])), [true, true, false]);
        assert!(is_open(&fourth));
        // Of those that the server works for, none is closed.
        open[1].work();
        fourth.work();
        assert!(connections.admit(ONE).is_none());
        assert!(connections.admit(OTHER).is_some());
    }

    #[test]
    fn the_address_with_the_most_connections_makes_room_for_others() {
        let connections = connections();
        let other = connections.admit(OTHER).unwrap();
        let open: Vec<_> = (0..3).filter_map(|_| connections.admit(ONE)).collect();
        let third = connections.admit(IpAddr::V4([10, 0, 0, 3].into())).unwrap();
        assert!(is_open(&other) && is_open(&third) && !is_open(&open[0]));
        drop(other);
        assert_eq!(connections.state().open.len(), 3);
    }

    #[test]
    fn an_address_has_a_share_of_the_uploads_and_the_rest_is_for_others() {
        let connections = connections();
        let open: Vec<_> =
            [ONE, ONE, OTHER].map(|address| connections.admit(address).unwrap()).into();
        assert_eq!(open[0].use_for(Use::Upload), Ok(()));
        assert_eq!(open[1].use_for(Use::Upload).unwrap_err().status, 503);
        assert_eq!(open[2].use_for(Use::Upload), Ok(()));
        open[0].finish_request();
        assert_eq!(open[1].use_for(Use::Upload), Ok(()));
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let shared = |text: &str| shared_address(text.parse().unwrap());
        assert_eq!(shared("2001:db8:1:2:3:4:5:6"), shared("2001:db8:1:2::1"));
        assert_ne!(shared("2001:db8:1:2::1"), shared("2001:db8:1:3::1"));
        assert_eq!(shared("::ffff:10.0.0.1"), ONE);
    }
}
