//! Faults on a line, from a seed: the same seed and the same bytes give the same faults.
//!
//! A wrapper round any stream. What passes is split into pieces, each ended by a zero byte (the delimiter of the link)
//! or by the end of what was read or written at once; bytes are flipped, lost and made up within pieces, and whole
//! pieces are cut, doubled, swapped and delayed. Nothing else in this crate knows of faults.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::{Connect, OpenError};

/// How often each fault happens, in parts of a million: of the bytes or of the pieces that pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// Bytes with one bit flipped.
    pub flip: u32,
    /// Bytes lost.
    pub lose: u32,
    /// Bytes before which a random byte is made up.
    pub noise: u32,
    /// Pieces of which only the beginning passes.
    pub cut: u32,
    /// Pieces that pass twice.
    pub double: u32,
    /// Pieces that pass after the one that follows them.
    pub swap: u32,
    /// Pieces that wait.
    pub delay: u32,
    /// How long a piece waits at the most, milliseconds.
    pub delay_ms_max: u32,
}

impl Faults {
    /// Every byte, or every piece.
    pub const ALWAYS: u32 = 1_000_000;
    /// No fault.
    pub const NONE: Self = Self { flip: 0, lose: 0, noise: 0, cut: 0, double: 0, swap: 0, delay: 0, delay_ms_max: 0 };
    /// A line so bad that about every third piece arrives damaged.
    pub const STORM: Self = Self {
        flip: 8_000,
        lose: 4_000,
        noise: 4_000,
        cut: 50_000,
        double: 80_000,
        swap: 50_000,
        delay: 100_000,
        delay_ms_max: 20,
    };
}

/// How many faults have happened, by kind.
#[derive(Debug, Default)]
pub struct FaultCounts {
    flipped: AtomicU64,
    lost: AtomicU64,
    made_up: AtomicU64,
    cut: AtomicU64,
    doubled: AtomicU64,
    swapped: AtomicU64,
    delayed: AtomicU64,
}

impl FaultCounts {
    /// Faults that changed what passed: everything but delays.
    #[must_use]
    pub fn damage(&self) -> u64 {
        [&self.flipped, &self.lost, &self.made_up, &self.cut, &self.doubled, &self.swapped]
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .sum()
    }

    /// Pieces that passed twice.
    #[must_use]
    pub fn doubled(&self) -> u64 {
        self.doubled.load(Ordering::Relaxed)
    }
}

impl fmt::Display for FaultCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        write!(
            f,
            "{} flipped, {} lost, {} made up, {} cut, {} doubled, {} swapped, {} delayed",
            of(&self.flipped),
            of(&self.lost),
            of(&self.made_up),
            of(&self.cut),
            of(&self.doubled),
            of(&self.swapped),
            of(&self.delayed)
        )
    }
}

/// A stream with faults, on what is read from it and on what is written to it.
#[derive(Debug)]
pub struct Faulty<T> {
    inner: T,
    inbound: FaultInjector,
    outbound: FaultInjector,
    // no more will be read from the inner stream, for this reason; told after what came before it
    ended: Option<io::Result<()>>,
    wake: Option<Pin<Box<Sleep>>>,
    counts: Arc<FaultCounts>,
}

impl<T> Faulty<T> {
    /// Wraps a stream. The seed is printed, so that a failing run can be repeated.
    pub fn new(inner: T, faults: Faults, seed: u64) -> Self {
        Self::one_way_each(inner, faults, faults, seed)
    }

    /// Wraps a stream, with other faults on what is read than on what is written.
    pub fn one_way_each(inner: T, read: Faults, written: Faults, seed: u64) -> Self {
        Self::counting(inner, read, written, seed, Arc::default())
    }

    fn counting(inner: T, read: Faults, written: Faults, seed: u64, counts: Arc<FaultCounts>) -> Self {
        if read != Faults::NONE || written != Faults::NONE {
            eprintln!("a line with faults, seed {seed}: read {read:?}, written {written:?}");
        }
        // two independent sequences, so that what is written does not change which faults are read
        let inbound = FaultInjector::counting(read, seed, Arc::clone(&counts));
        let outbound = FaultInjector::counting(written, seed ^ 0x6F75_7462_6F75_6E64, Arc::clone(&counts));
        Self { inner, inbound, outbound, ended: None, wake: None, counts }
    }

    /// Faults so far; the count lives on when the stream is gone.
    #[must_use]
    pub fn counts(&self) -> Arc<FaultCounts> {
        Arc::clone(&self.counts)
    }

    /// Sees to it that the task is woken when the next delayed piece is ready.
    fn wake_at(&mut self, at: Instant, cx: &mut Context<'_>) {
        let sleep = self.wake.get_or_insert_with(|| Box::pin(sleep_until(at)));
        sleep.as_mut().reset(at);
        if sleep.as_mut().poll(cx).is_ready() {
            cx.waker().wake_by_ref();
        }
    }
}

/// A place whose line has faults, on another seed each time it is opened.
#[derive(Debug)]
pub struct FaultyPlace<C> {
    inner: C,
    faults: Faults,
    seed: u64,
    counts: Arc<FaultCounts>,
}

impl<C> FaultyPlace<C> {
    /// A place with these faults both ways; it is opened on the seeds that follow `seed`.
    pub fn new(inner: C, faults: Faults, seed: u64) -> Self {
        Self { inner, faults, seed, counts: Arc::default() }
    }

    /// Faults so far, on all the streams opened; the count lives on when the place is gone.
    #[must_use]
    pub fn counts(&self) -> Arc<FaultCounts> {
        Arc::clone(&self.counts)
    }
}

impl<C: Connect + Sync> Connect for FaultyPlace<C> {
    type Stream = Faulty<C::Stream>;

    async fn connect(&mut self) -> Result<Self::Stream, OpenError> {
        let stream = self.inner.connect().await?;
        self.seed += 1;
        Ok(Faulty::counting(stream, self.faults, self.faults, self.seed, self.counts()))
    }

    fn place(&self) -> String {
        self.inner.place()
    }
}

impl<T: AsyncWrite + Unpin> Faulty<T> {
    /// Writes what is ready to be written; ready when none of it is left.
    fn push(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let now = Instant::now();
            let Some(ready) = self.outbound.ready(now) else {
                return match self.outbound.next_at() {
                    Some(at) => {
                        self.wake_at(at, cx);
                        Poll::Pending
                    }
                    None => Poll::Ready(Ok(())),
                };
            };
            let written = ready!(Pin::new(&mut self.inner).poll_write(cx, ready))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.outbound.take(written);
        }
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncRead for Faulty<T> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        // delayed writes go out while their writer waits for an answer; an error of theirs is told to the writer
        let _ = this.push(cx);
        loop {
            if let Some(ready) = this.inbound.ready(Instant::now()) {
                let passed = ready.len().min(buf.remaining());
                buf.put_slice(&ready[..passed]);
                this.inbound.take(passed);
                return Poll::Ready(Ok(()));
            }
            if let Some(at) = this.inbound.next_at() {
                this.wake_at(at, cx);
            } else if let Some(end) = &this.ended {
                return Poll::Ready(end.as_ref().copied().map_err(|error| error.kind().into()));
            }
            if this.ended.is_some() {
                return Poll::Pending;
            }
            let mut bytes = [0; 256];
            let mut read = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut this.inner).poll_read(cx, &mut read)) {
                Ok(()) if read.filled().is_empty() => {
                    this.inbound.release();
                    this.ended = Some(Ok(()));
                }
                Ok(()) => this.inbound.put(read.filled(), Instant::now()),
                Err(error) => {
                    this.inbound.release();
                    this.ended = Some(Err(error));
                }
            }
        }
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Faulty<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.push(cx))?;
        self.outbound.put(buf, Instant::now());
        if let Poll::Ready(Err(error)) = self.push(cx) {
            return Poll::Ready(Err(error));
        }
        Poll::Ready(Ok(buf.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.push(cx))?;
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.push(cx))?;
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

/// One direction of a line: bytes go in, pieces with faults come out, each not before its time.
#[derive(Debug)]
pub struct FaultInjector {
    /// What happens to what goes in from now on.
    pub faults: Faults,
    random: ChaCha8Rng,
    queue: VecDeque<(Instant, Vec<u8>)>,
    // a piece that goes after the next one
    held: Option<(Instant, Vec<u8>)>,
    // bytes of the first piece that have passed
    passed: usize,
    counts: Arc<FaultCounts>,
}

impl FaultInjector {
    /// A direction with these faults, which follow from the seed.
    #[must_use]
    pub fn new(faults: Faults, seed: u64) -> Self {
        Self::counting(faults, seed, Arc::default())
    }

    fn counting(faults: Faults, seed: u64, counts: Arc<FaultCounts>) -> Self {
        Self { faults, random: ChaCha8Rng::seed_from_u64(seed), queue: VecDeque::new(), held: None, passed: 0, counts }
    }

    /// What is left of the first piece that may pass now.
    pub fn pop(&mut self, now: Instant) -> Option<Vec<u8>> {
        self.ready(now)?;
        let passed = std::mem::take(&mut self.passed);
        self.queue.pop_front().map(|(_, mut piece)| piece.split_off(passed))
    }

    /// What has not passed is lost.
    pub fn clear(&mut self) {
        self.queue.clear();
        (self.held, self.passed) = (None, 0);
    }

    fn put(&mut self, bytes: &[u8], now: Instant) {
        for piece in bytes.split_inclusive(|&byte| byte == 0) {
            self.put_piece(piece, now);
        }
    }

    /// A piece goes in; it comes out at that moment or, where faults delay it, later.
    pub fn put_piece(&mut self, piece: &[u8], now: Instant) {
        let mut piece = self.damaged(piece);
        if self.happens(self.faults.cut) {
            piece.truncate(self.random.random_range(0..piece.len().max(1)));
            count(&self.counts.cut);
        }
        let mut at = now;
        if self.happens(self.faults.delay) {
            at += Duration::from_millis(self.random.random_range(0..=u64::from(self.faults.delay_ms_max)));
            count(&self.counts.delayed);
        }
        // delays do not change the order: that is what swapping is for
        at = at.max(self.queue.back().map_or(now, |&(last, _)| last));
        let doubled = self.happens(self.faults.double);
        if self.held.is_none() && self.happens(self.faults.swap) {
            self.held = Some((at, piece));
            return;
        }
        if doubled {
            self.queue.push_back((at, piece.clone()));
            count(&self.counts.doubled);
        }
        self.queue.push_back((at, piece));
        if let Some((_, held)) = self.held.take() {
            self.queue.push_back((at, held));
            count(&self.counts.swapped);
        }
    }

    /// Nothing follows: a piece that waited for the next one passes now.
    fn release(&mut self) {
        self.queue.extend(self.held.take());
    }

    fn damaged(&mut self, piece: &[u8]) -> Vec<u8> {
        let mut damaged = Vec::with_capacity(piece.len() + 4);
        for &byte in piece {
            if self.happens(self.faults.noise) {
                damaged.push(self.random.random());
                count(&self.counts.made_up);
            }
            if self.happens(self.faults.lose) {
                count(&self.counts.lost);
            } else if self.happens(self.faults.flip) {
                damaged.push(byte ^ (1 << self.random.random_range(0..8)));
                count(&self.counts.flipped);
            } else {
                damaged.push(byte);
            }
        }
        damaged
    }

    fn happens(&mut self, millionths: u32) -> bool {
        millionths > 0 && self.random.random_range(0..Faults::ALWAYS) < millionths
    }

    /// What may pass now; never empty.
    fn ready(&mut self, now: Instant) -> Option<&[u8]> {
        while self.queue.front().is_some_and(|(_, piece)| piece.len() <= self.passed) {
            self.queue.pop_front();
            self.passed = 0;
        }
        let (at, piece) = self.queue.front()?;
        (*at <= now).then(|| &piece[self.passed..])
    }

    fn take(&mut self, bytes: usize) {
        self.passed += bytes;
    }

    fn next_at(&self) -> Option<Instant> {
        self.queue.front().map(|&(at, _)| at)
    }
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    fn pieces(count: u32) -> Vec<u8> {
        (0..count).flat_map(|n| [1 + (n % 250) as u8, 7, 0]).collect()
    }

    async fn read_through(faults: Faults, seed: u64, bytes: &[u8]) -> (Vec<u8>, Arc<FaultCounts>) {
        let (mut far, near) = duplex(bytes.len().max(1));
        let mut faulty = Faulty::one_way_each(near, faults, Faults::NONE, seed);
        far.write_all(bytes).await.unwrap();
        drop(far);
        let mut got = Vec::new();
        faulty.read_to_end(&mut got).await.unwrap();
        (got, faulty.counts())
    }

    #[tokio::test]
    async fn without_faults_everything_passes_unchanged() {
        let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let (got, counts) = read_through(Faults::NONE, 1, &bytes).await;
        assert_eq!(got, bytes);
        assert_eq!(counts.damage(), 0);
    }

    #[tokio::test]
    async fn the_same_seed_gives_the_same_faults_and_another_seed_others() {
        let bytes = pieces(1000);
        let faults = Faults { delay: 0, ..Faults::STORM };
        let (first, counts) = read_through(faults, 42, &bytes).await;
        assert!(counts.damage() > 100, "{counts}");
        assert_ne!(first, bytes);
        assert_eq!(first, read_through(faults, 42, &bytes).await.0);
        assert_ne!(first, read_through(faults, 43, &bytes).await.0);
    }

    #[tokio::test]
    async fn each_kind_of_fault_does_what_its_name_says() {
        let always = 1_000_000;
        let bytes = pieces(3);
        let none = Faults::NONE;
        assert!(read_through(Faults { lose: always, ..none }, 1, &bytes).await.0.is_empty());
        let (doubled, counts) = read_through(Faults { double: always, ..none }, 1, &bytes).await;
        assert_eq!((&doubled[..6], counts.doubled()), (&[1, 7, 0, 1, 7, 0][..], 3));
        let (swapped, _) = read_through(Faults { swap: always, ..none }, 1, &bytes).await;
        assert_eq!(swapped, [2, 7, 0, 1, 7, 0, 3, 7, 0]);
        let (flipped, _) = read_through(Faults { flip: always, ..none }, 1, &bytes).await;
        assert!(flipped.iter().zip(&bytes).all(|(a, b)| (a ^ b).count_ones() == 1));
        assert_eq!(read_through(Faults { noise: always, ..none }, 1, &bytes).await.0.len(), 2 * bytes.len());
        assert!(read_through(Faults { cut: always, ..none }, 1, &bytes).await.0.len() < bytes.len());
    }

    #[tokio::test]
    async fn a_delayed_piece_passes_late_and_whole_both_ways() {
        let delayed = Faults { delay: 1_000_000, delay_ms_max: 50, ..Faults::NONE };
        let (mut far, near) = duplex(1024);
        let mut faulty = Faulty::new(near, delayed, 5);
        let began = Instant::now();
        let bytes = pieces(40);
        far.write_all(&bytes).await.unwrap();
        let mut got = vec![0; bytes.len()];
        faulty.read_exact(&mut got).await.unwrap();
        assert_eq!(got, bytes);
        assert!(began.elapsed() > Duration::from_millis(5));
        faulty.write_all(&bytes).await.unwrap();
        faulty.flush().await.unwrap();
        far.read_exact(&mut got).await.unwrap();
        assert_eq!(got, bytes);
    }
}
