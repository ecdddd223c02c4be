// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// The properties that a unit does not know, which are those of its current device.
extension IOUnitObject {
    func deviceValue(of property: UnitProperty) throws(UnitError) -> PropertyAnswer {
        guard let object = currentObject(at: property) else {
            throw UnitError(.invalidProperty, "no property \(property.id)")
        }
        do throws(StatusError) {
            return try Hardware.shared.value(of: property.deviceAddress, of: object).answer(
                numbering: Hardware.shared.objects)
        } catch {
            throw UnitError(.invalidProperty, "no property \(property.id)")
        }
    }

    func isSettableOnDevice(_ property: UnitProperty) -> Bool {
        // Numbers of this size are four-character codes, which properties of units do not have.
        guard property.id >= 1 << 24, let object = currentObject(at: property) else { return false }
        return (try? Hardware.shared.isSettable(property.deviceAddress, of: object)) == true
    }

    /// - Throws: ``UnitError/Code/invalidPropertyValue`` if the device refuses the value.
    func setDeviceValue(of property: UnitProperty, _ data: UnitPropertyData) throws(UnitError) {
        guard let object = currentObject(at: property), let start = unsafe data.bytes.baseAddress else {
            throw UnitError(.invalidPropertyValue, "no value for property \(property.id)")
        }
        do throws(StatusError) {
            try Hardware.shared.set(
                property.deviceAddress, of: object,
                to: unsafe HardwareData(start, UInt32(clamping: data.bytes.count)))
        } catch {
            throw UnitError(.invalidPropertyValue, "the device refuses the value of property \(property.id)")
        }
    }

    private func currentObject(at property: UnitProperty) -> HardwareObject? {
        guard let number = try? currentDevice(at: property) else { return nil }
        return Hardware.shared.objects.object(numbered: number)
    }
}

extension UnitProperty {
    /// The address of the device's property: of the side that the element is.
    fileprivate var deviceAddress: AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(
            mSelector: id,
            mScope: element == 1 ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput,
            mElement: kAudioObjectPropertyElementMain)
    }
}
