//! A panic in a driver ends its session, and nothing else.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// What is said of a device whose driver has panicked. The words of a panic may hold what the device saw, so they are
/// told to nobody; where it happened is.
pub(crate) const WHY: &str = "its driver has failed: a fault of this program, which should be reported";

/// The work has panicked, and was dropped.
#[derive(Debug)]
pub(crate) struct Panicked;

/// Runs some work to its end, or to its panic.
pub(crate) async fn guarded<F: Future>(work: F) -> Result<F::Output, Panicked> {
    let mut work = pin!(work);
    poll_fn(move |cx| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(done)) => Poll::Ready(Ok(done)),
        Err(_) => Poll::Ready(Err(Panicked)),
    })
    .await
}

/// Does something that does not wait.
pub(crate) fn guarded_call(call: impl FnOnce()) -> Result<(), Panicked> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| Panicked)
}
