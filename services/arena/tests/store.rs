//! The store inside an asynchronous server.

use std::sync::Arc;
use std::time::Duration;

use arena::{
    Adjudication, BlockingStore, Contestant, Format, Plan, Playable, Progress, Store, TimeSettings,
    Unfinished, Worker,
};

fn plan() -> Plan {
    Plan {
        game: "any".to_string(),
        contestants: vec![Contestant::new("a"), Contestant::new("b")],
        format: Format::RoundRobin,
        games: 4,
        openings: vec![String::new()],
        time: TimeSettings::default(),
        adjudication: Adjudication::default(),
        sprt: None,
        unfinished: Unfinished::Half,
        seed: 7,
    }
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().expect("a runtime")
}

#[test]
fn tasks_of_a_server_share_a_store_and_drop_it_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = folder.path().join("games.sqlite").display().to_string();
    let (runtime, address_of_server) = (runtime(), address.clone());
    let served = runtime.spawn(async move {
        let store = Arc::new(Store::open(&address_of_server).await.expect("a store"));
        let event = store.create("served", &plan()).await.expect("an event");
        let tasks = (0..4).map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                let worker = Worker::new(Duration::from_secs(60));
                store.lease(event, &worker, &Playable::All).await.expect("the store answers")
            })
        });
        let mut leased = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            leased.push(task.await.expect("no panic").expect("a game waits").number);
        }
        // A thread beside the server uses the same store.
        let lent = BlockingStore::lent(store.clone(), tokio::runtime::Handle::current());
        let events =
            std::thread::spawn(move || lent.events().expect("the store answers").sound.len());
        assert_eq!(tokio::task::block_in_place(|| events.join().expect("no panic")), 1);
        let progress = store.progress().await.expect("the store answers")[&event];
        assert_eq!(progress, Progress { scheduled: 4, finished: 0 });
        drop(store);
        leased
    });
    let mut numbers = runtime.block_on(served).expect("no panic");
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4], "each game is leased once");
    // What was written is there for the next one.
    let store = BlockingStore::open_existing(&address).expect("a store");
    assert_eq!(store.events().expect("the store answers").sound.len(), 1);
}

#[test]
fn a_blocking_store_may_be_dropped_by_a_task_of_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = folder.path().join("games.sqlite").display().to_string();
    let store = BlockingStore::open(&address).expect("a store");
    store.create("handed over", &plan()).expect("an event");
    runtime().block_on(async move { drop(store) });
    let store = BlockingStore::open_existing(&address).expect("a store");
    assert_eq!(store.events().expect("the store answers").sound.len(), 1);
}
