//! Work that machines share.

use sabot_floor::broker::Broker;
use sabot_floor::queue::Queue;
use tokio::time::Instant;

use crate::engines::{Nats, PATIENCE};

async fn join(url: &str) -> Queue {
    let broker = Broker { url: url.to_owned(), ..Broker::default() };
    Queue::join(&broker, "year", "one question").await.unwrap()
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_task_whose_taker_is_gone_comes_again_and_what_came_of_it_is_told_once() {
    let nats = Nats::start();
    let (one, other) = (join(&nats.url()).await, join(&nats.url()).await);
    one.put("7 a").await.unwrap();
    other.put("7 a").await.unwrap();
    drop(one.take().await.unwrap().expect("a task"));
    let began = Instant::now();
    let task = loop {
        if let Some(task) = other.take().await.unwrap() {
            break task;
        }
        assert!(began.elapsed() < PATIENCE, "it never came again");
    };
    assert_eq!(task.key, "7 a");
    other.finish(task, b"done".to_vec()).await.unwrap();
    one.put("7 a").await.unwrap();
    assert!(one.take().await.unwrap().is_none(), "what is done is not put again");
    let mut results = one.results().await.unwrap();
    assert_eq!(results.next().await.unwrap(), Some(("7 a".to_owned(), b"done".to_vec())));
    assert_eq!(results.next().await.unwrap(), None);
}
