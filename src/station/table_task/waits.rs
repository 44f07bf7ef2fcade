//! What the task of a table waits for, where it may be that nobody ever comes.

use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::acts::{Asked, Taking};

pub(super) async fn next<T>(from: &mut Option<mpsc::UnboundedReceiver<T>>) -> T {
    if let Some(from) = from
        && let Some(told) = from.recv().await
    {
        return told;
    }
    std::future::pending().await
}

pub(super) async fn received(acts: &mut Option<Taking>) -> Asked {
    if let Some(taking) = acts
        && let Some(act) = taking.recv().await
    {
        return act;
    }
    std::future::pending().await
}

pub(super) async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
