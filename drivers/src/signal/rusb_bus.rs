//! The system's USB, through libusb.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusb::{Context, DeviceHandle, DeviceList, Direction, TransferType, UsbContext};

use super::usb_bus::{Bus, Device, Enumerated, Plug, UsbError};

/// The class of hubs.
const HUB: u8 = 9;
/// A report is taken within so long; three tries are over before the supervision gives the line up.
const SEND_WITHIN: Duration = Duration::from_millis(250);

/// The USB of this machine. The library is begun when it is first needed, and again while that fails: its own global
/// one would panic on a machine without USB.
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

    fn find(&self, vendor: u16, product: u16) -> Result<Vec<Plug>, UsbError> {
        let devices = self.devices()?;
        let found = devices.iter().filter(|device| {
            let named = device.device_descriptor();
            named.is_ok_and(|named| (named.vendor_id(), named.product_id()) == (vendor, product))
        });
        Ok(found.map(|device| Plug { bus: device.bus_number(), device: device.address() }).collect())
    }

    fn open(&self, plug: Plug) -> Result<Open, UsbError> {
        let devices = self.devices()?;
        let there = devices.iter().find(|device| (device.bus_number(), device.address()) == (plug.bus, plug.device));
        let device = there.ok_or_else(|| said(rusb::Error::NoDevice))?;
        let (interface, endpoint) = reports_to(&device).map_err(said)?.ok_or(UsbError::NoEndpoint)?;
        Ok(Open { handle: device.open().map_err(said)?, interface, endpoint })
    }
}

/// The interface and the endpoint that take reports. The maker's number is 1, and the device's own word counts.
fn reports_to(device: &rusb::Device<Context>) -> rusb::Result<Option<(u8, u8)>> {
    let configuration = device.active_config_descriptor()?;
    let takes_reports = |endpoint: &rusb::EndpointDescriptor<'_>| {
        (endpoint.transfer_type(), endpoint.direction()) == (TransferType::Interrupt, Direction::Out)
    };
    Ok(configuration.interfaces().flat_map(|interface| interface.descriptors()).find_map(|interface| {
        let endpoint = interface.endpoint_descriptors().find(takes_reports)?;
        Some((interface.interface_number(), endpoint.address()))
    }))
}

/// An open device; dropping the handle lets go of the interface, gives it back to the kernel's driver and closes it.
#[derive(Debug)]
pub(super) struct Open {
    handle: DeviceHandle<Context>,
    interface: u8,
    endpoint: u8,
}

impl Device for Open {
    fn claim(&mut self) -> Result<(), UsbError> {
        match self.handle.set_auto_detach_kernel_driver(true) {
            // a system whose drivers cannot be detached: claiming tells whether one is in the way
            Ok(()) | Err(rusb::Error::NotSupported) => self.handle.claim_interface(self.interface).map_err(said),
            Err(error) => Err(said(error)),
        }
    }

    fn send(&mut self, report: &[u8]) -> Result<(), UsbError> {
        match self.handle.write_interrupt(self.endpoint, report, SEND_WITHIN) {
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
        rusb::Error::Timeout => UsbError::Slow,
        other => UsbError::Other(other.to_string()),
    }
}
