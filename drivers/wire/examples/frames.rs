//! Prints the clear frames with which a session begins, as they go over the line.

use sabot_wire::frame::{EncodeError, MAX_FRAME, encode};
use sabot_wire::message::{DeviceHello, Role, ToDevice, ToHost};
use sabot_wire::{PROTOCOL, SCHEMA_4};

fn main() -> Result<(), EncodeError> {
    let mut out = [0; MAX_FRAME];
    let hello = ToDevice::Hello { protocol: PROTOCOL, schema: SCHEMA_4 };
    println!("the station says hello: {:02x?}", encode(&hello, &mut out)?);
    let serial = "SH-0001".try_into().unwrap_or_default();
    let (role, firmware, schema) = (Role::Shoe, [1, 0, 0], SCHEMA_4);
    let hello = DeviceHello { protocol: PROTOCOL, role, serial, firmware, schema, boots: 1, epoch: 1, oldest: 1 };
    println!("the shoe says hello:    {:02x?}", encode(&ToHost::Hello(hello), &mut out)?);
    Ok(())
}
