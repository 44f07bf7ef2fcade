//! The system's USB, through libusb.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusb::{Context, DeviceHandle, DeviceList, UsbContext};

use super::usb::{Bus, Device, Enumerated, Plug, UsbError};

/// The tower has one interface.
const INTERFACE: u8 = 0;
/// The class of hubs.
const HUB: u8 = 9;
/// A report is taken within so long.
const SEND_WITHIN: Duration = Duration::from_millis(500);

/// The USB of this machine. The library is begun when it is first needed, and again while that fails: its own global one
/// would panic on a machine without USB.
#[derive(Debug, Default)]
pub(super) struct System(Mutex<Option<Context>>);

impl System {
    fn devices(&self) -> Result<DeviceList<Context>, UsbError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let context = match kept.take() {
            Some(context) => context,
            None => Context::new().map_err(|error| UsbError::NoUsb(error.to_string()))?,
        };
        let devices = context.devices().map_err(said);
        *kept = Some(context);
        devices
    }

    /// Every device but hubs.
    pub(super) fn enumerated(&self) -> Result<Vec<Enumerated>, UsbError> {
        let device = |device: rusb::Device<Context>| {
            let named = device.device_descriptor().ok().filter(|named| named.class_code() != HUB)?;
            let plug = Plug { bus: device.bus_number(), device: device.address() };
            Some(Enumerated { plug, vendor: named.vendor_id(), product: named.product_id() })
        };
        let mut devices: Vec<Enumerated> = self.devices()?.iter().filter_map(device).collect();
        devices.sort_by_key(|device| (device.plug.bus, device.plug.device));
        Ok(devices)
    }
}

impl Bus for System {
    type Device = Open;

    fn find(&self, vendor: u16, product: u16) -> Result<Option<Plug>, UsbError> {
        let devices = self.devices()?;
        let found = devices.iter().find(|device| {
            let named = device.device_descriptor();
            named.is_ok_and(|named| (named.vendor_id(), named.product_id()) == (vendor, product))
        });
        Ok(found.map(|device| Plug { bus: device.bus_number(), device: device.address() }))
    }

    fn open(&self, plug: Plug) -> Result<Open, UsbError> {
        let devices = self.devices()?;
        let there = devices.iter().find(|device| (device.bus_number(), device.address()) == (plug.bus, plug.device));
        let device = there.ok_or_else(|| said(rusb::Error::NoDevice))?;
        Ok(Open { handle: device.open().map_err(said)? })
    }
}

/// An open device; dropping the handle lets go of the interface and closes it.
#[derive(Debug)]
pub(super) struct Open {
    handle: DeviceHandle<Context>,
}

impl Device for Open {
    fn kernel_holds(&self) -> Result<bool, UsbError> {
        match self.handle.kernel_driver_active(INTERFACE) {
            // a system whose drivers cannot be asked has none to take it from
            Err(rusb::Error::NotSupported) => Ok(false),
            holds => holds.map_err(said),
        }
    }

    fn detach_kernel(&mut self) -> Result<(), UsbError> {
        self.handle.detach_kernel_driver(INTERFACE).map_err(said)
    }

    fn claim(&mut self) -> Result<(), UsbError> {
        self.handle.claim_interface(INTERFACE).map_err(said)
    }

    fn send(&mut self, endpoint: u8, report: &[u8]) -> Result<(), UsbError> {
        match self.handle.write_interrupt(endpoint, report, SEND_WITHIN) {
            Ok(sent) if sent == report.len() => Ok(()),
            Ok(sent) => Err(UsbError::Other(format!("{sent} bytes of {} were taken", report.len()))),
            Err(error) => Err(said(error)),
        }
    }
}

fn said(error: rusb::Error) -> UsbError {
    match error {
        rusb::Error::Access => UsbError::Denied,
        rusb::Error::Busy => UsbError::Busy,
        other => UsbError::Other(other.to_string()),
    }
}
