// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// The functions for procedures of devices without a server: missing arguments, and objects that are no devices.
@Suite("Arguments of procedures of devices") struct DeviceProcedureTests {
    /// The results of every function for an object, with otherwise valid arguments.
    private func results(for device: AudioObjectID) -> [String: OSStatus] {
        var procedure: AudioDeviceIOProcID?
        var time = AudioTimeStamp()
        var translated = AudioTimeStamp()
        return unsafe [
            "Create": audioDeviceCreateIOProcID(device, ignoreCycle, nil, &procedure),
            "CreateWithBlock": audioDeviceCreateIOProcIDWithBlock(&procedure, device, nil) { _, _, _, _, _ in
            },
            "Destroy": audioDeviceDestroyIOProcID(device, ignoreCycle),
            "Start": audioDeviceStart(device, nil),
            "StartAtTime": audioDeviceStartAtTime(device, ignoreCycle, &time, 0),
            "Stop": audioDeviceStop(device, nil),
            "GetCurrentTime": audioDeviceGetCurrentTime(device, &time),
            "TranslateTime": audioDeviceTranslateTime(device, &time, &translated),
            "GetNearestStartTime": audioDeviceGetNearestStartTime(device, &time, 0),
            "Add": audioDeviceAddIOProc(device, ignoreCycle, nil),
            "Remove": audioDeviceRemoveIOProc(device, ignoreCycle),
        ]
    }

    @Test("a number without an object is a bad object") func unknownDevice() {
        for (name, status) in results(for: 31) {
            expectEqual(status, kAudioHardwareBadObjectError, "\(name)")
        }
    }

    @Test("the system is a bad device") func system() {
        for (name, status) in results(for: kAudioObjectSystemObject) {
            expectEqual(status, kAudioHardwareBadDeviceError, "\(name)")
        }
    }

    @Test("the system has no properties of devices and streams") func propertiesOfDevices() {
        let selectors = [
            kAudioDevicePropertyDeviceHasChanged, kAudioDeviceProcessorOverload,
            kAudioDevicePropertyBufferSize, kAudioDevicePropertyStreamFormat,
            kAudioDevicePropertyStreamFormatMatch, kAudioStreamPropertyPhysicalFormat,
        ]
        for selector in selectors {
            var address = AudioObjectPropertyAddress(
                mSelector: selector, mScope: kAudioObjectPropertyScopeOutput,
                mElement: kAudioObjectPropertyElementMain)
            #expect(unsafe !audioObjectHasProperty(kAudioObjectSystemObject, &address))
        }
    }

    @Test("a null pointer is an argument error") func nullPointers() {
        var procedure: AudioDeviceIOProcID?
        var time = AudioTimeStamp()
        let results = unsafe [
            audioDeviceCreateIOProcID(31, nil, nil, &procedure),
            audioDeviceCreateIOProcID(31, ignoreCycle, nil, nil),
            audioDeviceCreateIOProcIDWithBlock(&procedure, 31, nil, nil),
            audioDeviceCreateIOProcIDWithBlock(nil, 31, nil) { _, _, _, _, _ in },
            audioDeviceDestroyIOProcID(31, nil),
            audioDeviceStartAtTime(31, nil, nil, 0),
            audioDeviceGetCurrentTime(31, nil),
            audioDeviceTranslateTime(31, nil, &time),
            audioDeviceTranslateTime(31, &time, nil),
            audioDeviceGetNearestStartTime(31, nil, 0),
            audioDeviceAddIOProc(31, nil, nil),
            audioDeviceRemoveIOProc(31, nil),
        ]
        expectEqual(results, [OSStatus](repeating: kAudio_ParamError, count: results.count))
        #expect(unsafe procedure == nil)
    }
}

private func ignoreCycle(
    _ device: AudioObjectID, _ now: UnsafePointer<AudioTimeStamp>, _ input: UnsafePointer<AudioBufferList>,
    _ inputTime: UnsafePointer<AudioTimeStamp>, _ output: UnsafeMutablePointer<AudioBufferList>,
    _ outputTime: UnsafePointer<AudioTimeStamp>, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus { noErr }
