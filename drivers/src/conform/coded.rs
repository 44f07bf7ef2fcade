//! Pairing by the code on a device's housing, each step of it done wrongly first.

use std::time::Duration;

use sabot_wire::HOST_HELLO_MS;
use sabot_wire::message::{Key, ToDevice, ToHost};
use sabot_wire::pairing::{Code, PAIRING, Pairing, Pairs, SHARE_BYTES, Secrets, share_of};
use tokio::time::Instant;

use super::duties::{Duty, SHARE_WITHIN};
use super::examiner::{Stop, clear_frame, wrong};
use super::{Enter, Run, challenge, deed, nearly, random};
use crate::transport::Connect;

/// What only a pairing by code shows.
pub(crate) const OF_CODES: [Duty; 10] = [
    Duty::Offered,
    Duty::CodeProof,
    Duty::ShareAnew,
    Duty::WeakOffer,
    Duty::OtherConfirm,
    Duty::NotInClear,
    Duty::BeginsAnew,
    Duty::Emptied,
    Duty::CodedKey,
    Duty::TakesNoPart,
];
pub(crate) const NO_CODE: &str = "it was not paired by its code (--code)";

/// The host's end of an offer that the device has answered.
struct Agreed {
    offer: [u8; SHARE_BYTES],
    said: Pairing,
    share: [u8; SHARE_BYTES],
    secrets: Secrets,
}

impl<C: Connect> Run<'_, C> {
    /// It takes the key that both ends draw, and nothing else that looks like one.
    pub(crate) async fn pairs_by_code(&mut self, code: &Code, serial: &str, is_unpaired: bool) -> Result<(), Stop> {
        if is_unpaired {
            self.line.send_clear(&ToDevice::Pair(Key::new(random()?))).await?;
            self.still_unpaired(Duty::NotInClear, "a key in the clear, though it has a code").await?;
            self.line.holds(Duty::NotInClear);
        } else {
            self.shows_nothing(&[Duty::NotInClear, Duty::Unpaired], "it had a key");
        }
        self.had_seen = self.sees_before_it_is_paired().await?;
        self.offers_no_secret().await?;
        let first = self.agrees(code).await?;
        let again = self.shares(&first.offer).await?;
        if again != first.said {
            return Err(wrong(Duty::Offered, "the same offer got another share".to_owned()));
        }
        self.line.holds(Duty::Offered);
        self.line.trying = Some(Duty::OtherConfirm);
        for proof in nearly(first.secrets.of_host) {
            self.says(&Pairing::Confirm(proof)).await?;
            if is_unpaired {
                self.still_unpaired(Duty::OtherConfirm, "a confirm whose proof is not the one due").await?;
            }
        }
        let second = self.agrees(code).await?;
        if second.share == first.share {
            return Err(wrong(Duty::ShareAnew, "another offer got the share of the one before".to_owned()));
        }
        self.line.holds(Duty::ShareAnew);
        self.says(&Pairing::Confirm(first.secrets.of_host)).await?;
        if is_unpaired {
            self.still_unpaired(Duty::OtherConfirm, "the confirm of an offer that a newer one has replaced").await?;
            self.line.holds(Duty::OtherConfirm);
        }
        self.line.trying = None;
        self.key = second.secrets.key.clone();
        // beside the one that is known, until the device has shown that it has taken it
        self.setup.keys.add_next(serial, &self.key).map_err(|error| Stop::Over(error.to_string()))?;
        self.begins_anew(Pairing::Confirm(second.secrets.of_host)).await?;
        self.setup.keys.took_next(serial).map_err(|error| Stop::Over(error.to_string()))?;
        self.paired = true;
        Ok(())
    }

    /// Something is in the ring of a device without a key, if its person says so: no line shows it.
    async fn sees_before_it_is_paired(&mut self) -> Result<bool, Stop> {
        let Some(deed) = deed(self.device()?.role) else { return Ok(false) };
        let asking = self.asks(&format!("Please {deed}: it must be forgotten once it is paired."), Enter::Done);
        while Instant::now() < asking.until {
            if self.has_entered() {
                return Ok(true);
            }
            let until = asking.until.min(Instant::now() + Duration::from_millis(HOST_HELLO_MS));
            while self.line.hear(until).await?.is_some() {}
        }
        Ok(false)
    }

    /// An offer whose secret is zero whatever the device's number is; one that computes it may be busy for as long.
    async fn offers_no_secret(&mut self) -> Result<(), Stop> {
        self.says(&Pairing::Offer([0; SHARE_BYTES])).await?;
        if self.line.hears_share(Instant::now() + SHARE_WITHIN + self.line.slack).await?.is_some() {
            return Err(wrong(Duty::WeakOffer, "an offer of 32 zero bytes was answered".to_owned()));
        }
        self.line.holds(Duty::WeakOffer);
        Ok(())
    }

    /// Whether it answers an offer: then it has a code, and takes no key in the clear.
    pub(crate) async fn has_code(&mut self) -> Result<bool, Stop> {
        let secret = [random()?, random()?].concat().try_into().unwrap_or([1; SHARE_BYTES]);
        self.says(&Pairing::Offer(share_of(&secret))).await?;
        let until = Instant::now() + SHARE_WITHIN + self.line.slack;
        Ok(self.line.hears_share(until).await?.is_some())
    }

    async fn says(&mut self, said: &Pairing) -> Result<(), Stop> {
        self.line.send(&clear_frame(&(PAIRING, said))).await
    }

    async fn shares(&mut self, offer: &[u8; SHARE_BYTES]) -> Result<Pairing, Stop> {
        self.says(&Pairing::Offer(*offer)).await?;
        let within = SHARE_WITHIN + self.line.slack;
        let Some(said) = self.line.hears_share(Instant::now() + within).await? else {
            let what = format!("no Share came within {} ms of an Offer; has it a code?", within.as_millis());
            return Err(wrong(Duty::Offered, what));
        };
        let Pairing::Share { to, .. } = &said else { return Err(Stop::Over("no share".to_owned())) };
        match *to {
            to if to == *offer => Ok(said),
            to if to == [0; SHARE_BYTES] => {
                Err(wrong(Duty::WeakOffer, "an offer of 32 zero bytes was answered".to_owned()))
            }
            _ => Err(wrong(Duty::Offered, "a Share is to another offer than the last".to_owned())),
        }
    }

    /// A new offer, and a share that proves the code.
    async fn agrees(&mut self, code: &Code) -> Result<Agreed, Stop> {
        let secret: [u8; SHARE_BYTES] = [random()?, random()?].concat().try_into().unwrap_or_default();
        let offer = share_of(&secret);
        let said = self.shares(&offer).await?;
        let Pairing::Share { share, proof, .. } = said else { return Err(Stop::Over("no share".to_owned())) };
        let hello = self.device()?;
        let pairs = Pairs { code, role: hello.role, serial: &hello.serial };
        let secrets = Secrets::of_host(&pairs, &secret, &share).filter(|secrets| secrets.of_device == proof);
        let Some(secrets) = secrets else {
            return Err(wrong(
                Duty::CodeProof,
                "the proof of the code is not the one due; is this its code?".to_owned(),
            ));
        };
        self.line.holds(Duty::CodeProof);
        Ok(Agreed { offer, said, share, secrets })
    }

    async fn still_unpaired(&mut self, duty: Duty, what: &str) -> Result<(), Stop> {
        if self.is_unpaired().await? { Ok(()) } else { Err(wrong(duty, format!("it took {what}"))) }
    }

    /// The confirm that is due: a hello of another epoch and of an empty ring is the first that comes of it.
    async fn begins_anew(&mut self, confirm: Pairing) -> Result<(), Stop> {
        let before = self.device()?.epoch;
        self.line.is_restarting = true;
        self.says(&confirm).await?;
        self.confirmed = Some(confirm);
        let until = Instant::now() + self.line.slack;
        let mut told = false;
        while !told && let Some(heard) = self.line.hear(until).await? {
            match heard.message {
                // one of the old epoch was under way
                ToHost::Hello(hello) => told = hello.epoch != before,
                _ => {
                    return Err(wrong(
                        Duty::BeginsAnew,
                        "something came before the hello that is due first".to_owned(),
                    ));
                }
            }
        }
        self.line.is_restarting = false;
        let oldest = self.device()?.oldest;
        if !told || oldest != 1 {
            let ms = self.line.slack.as_millis();
            let what = if told {
                format!("the oldest event of the new epoch is {oldest}, not 1")
            } else {
                format!("no hello with another epoch came within {ms} ms of the confirm that was due")
            };
            return Err(wrong(Duty::BeginsAnew, what));
        }
        self.line.begins_anew();
        self.line.trying = Some(Duty::CodedKey);
        let Some(_) = self.line.challenges(challenge()?, &self.key.clone()).await? else {
            return Err(wrong(Duty::CodedKey, "it says that it has no key after its pairing was confirmed".to_owned()));
        };
        self.line.trying = None;
        self.line.holds(Duty::CodedKey);
        Ok(())
    }

    /// In its first session after a pairing: nothing of the old ring is there, for nobody was asked for an event since.
    pub(crate) fn is_emptied(&mut self) -> Result<(), Stop> {
        if self.confirmed.is_none() {
            return Ok(());
        }
        let (fresh, newest) = (self.line.told.fresh, self.line.newest());
        if newest != 0 {
            return Err(wrong(Duty::Emptied, format!("the emptied ring names {newest} as its newest event")));
        }
        if fresh != 1 {
            return Err(wrong(Duty::BeginsAnew, format!("the emptied ring names {fresh} as the first of its start")));
        }
        if self.had_seen {
            self.line.holds(Duty::Emptied);
        } else {
            self.shows_nothing(&[Duty::Emptied], "nobody said that it had seen something before it was paired");
        }
        self.line.holds(Duty::BeginsAnew);
        Ok(())
    }

    /// In session, with a key, and nobody at its switch: who pairs again gets nothing.
    pub(crate) async fn takes_no_part(&mut self) -> Result<(), Stop> {
        let Some(confirm) = self.confirmed.take() else { return Ok(()) };
        let offer = Pairing::Offer(share_of(&[random()?, random()?].concat().try_into().unwrap_or_default()));
        self.line.trying = Some(Duty::TakesNoPart);
        self.says(&offer).await?;
        self.pings(Duty::TakesNoPart, "an offer").await?;
        self.line.holds(Duty::TakesNoPart);
        self.line.trying = Some(Duty::OtherConfirm);
        self.says(&confirm).await?;
        self.pings(Duty::OtherConfirm, "the confirm of its pairing, once more").await?;
        self.line.trying = None;
        Ok(())
    }
}
