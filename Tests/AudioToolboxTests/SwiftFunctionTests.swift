// SPDX-License-Identifier: MIT

import AudioToolbox
import Dispatch
import Testing

/// Checks that Swift sees each function with its original type. The compiler checks: a function of another type cannot
/// be assigned.
@Suite struct SwiftFunctionTests {
    typealias In<Value> = UnsafePointer<Value>
    typealias Out<Value> = UnsafeMutablePointer<Value>
    typealias Format = AudioStreamBasicDescription

    @Test("AudioQueue.h has 35 functions of the published types") func audioQueue() {
        let _:
            (
                In<Format>, AudioQueueOutputCallback, UnsafeMutableRawPointer?, CFRunLoop?, CFString?, UInt32,
                Out<AudioQueueRef?>
            ) -> OSStatus = unsafe AudioQueueNewOutput
        let _:
            (
                In<Format>, AudioQueueInputCallback, UnsafeMutableRawPointer?, CFRunLoop?, CFString?, UInt32,
                Out<AudioQueueRef?>
            ) -> OSStatus = unsafe AudioQueueNewInput
        let _:
            (
                Out<AudioQueueRef?>, In<Format>, UInt32, DispatchQueue,
                @escaping AudioQueueOutputCallbackBlock
            ) -> OSStatus = unsafe AudioQueueNewOutputWithDispatchQueue
        let _:
            (
                Out<AudioQueueRef?>, In<Format>, UInt32, DispatchQueue, @escaping AudioQueueInputCallbackBlock
            ) -> OSStatus = unsafe AudioQueueNewInputWithDispatchQueue
        let _: (AudioQueueRef, Bool) -> OSStatus = unsafe AudioQueueDispose
        let _: (AudioQueueRef, UInt32, Out<AudioQueueBufferRef?>) -> OSStatus =
            unsafe AudioQueueAllocateBuffer
        let _: (AudioQueueRef, UInt32, UInt32, Out<AudioQueueBufferRef?>) -> OSStatus =
            unsafe AudioQueueAllocateBufferWithPacketDescriptions
        let _: (AudioQueueRef, AudioQueueBufferRef) -> OSStatus = unsafe AudioQueueFreeBuffer
        let _: (AudioQueueRef, AudioQueueBufferRef, UInt32, In<AudioStreamPacketDescription>?) -> OSStatus =
            unsafe AudioQueueEnqueueBuffer
        let _:
            (
                AudioQueueRef, AudioQueueBufferRef, UInt32, In<AudioStreamPacketDescription>?, UInt32, UInt32,
                UInt32, In<AudioQueueParameterEvent>?, In<AudioTimeStamp>?, Out<AudioTimeStamp>?
            ) -> OSStatus = unsafe AudioQueueEnqueueBufferWithParameters
        let _: (AudioQueueRef, In<AudioTimeStamp>?) -> OSStatus = unsafe AudioQueueStart
        let _: (AudioQueueRef, UInt32, Out<UInt32>?) -> OSStatus = unsafe AudioQueuePrime
        let _: (AudioQueueRef, Bool) -> OSStatus = unsafe AudioQueueStop
        let _: (AudioQueueRef) -> OSStatus = unsafe AudioQueuePause
        let _: (AudioQueueRef) -> OSStatus = unsafe AudioQueueFlush
        let _: (AudioQueueRef) -> OSStatus = unsafe AudioQueueReset
        let _: (AudioQueueRef, AudioQueueParameterID, Out<AudioQueueParameterValue>) -> OSStatus =
            unsafe AudioQueueGetParameter
        let _: (AudioQueueRef, AudioQueueParameterID, AudioQueueParameterValue) -> OSStatus =
            unsafe AudioQueueSetParameter
        let _: (AudioQueueRef, AudioQueuePropertyID, UnsafeMutableRawPointer, Out<UInt32>) -> OSStatus =
            unsafe AudioQueueGetProperty
        let _: (AudioQueueRef, AudioQueuePropertyID, UnsafeRawPointer, UInt32) -> OSStatus =
            unsafe AudioQueueSetProperty
        let _: (AudioQueueRef, AudioQueuePropertyID, Out<UInt32>) -> OSStatus =
            unsafe AudioQueueGetPropertySize
        let _:
            (
                AudioQueueRef, AudioQueuePropertyID, AudioQueuePropertyListenerProc, UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioQueueAddPropertyListener
        let _:
            (
                AudioQueueRef, AudioQueuePropertyID, AudioQueuePropertyListenerProc, UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioQueueRemovePropertyListener
        let _: (AudioQueueRef, Out<AudioQueueTimelineRef?>) -> OSStatus = unsafe AudioQueueCreateTimeline
        let _: (AudioQueueRef, AudioQueueTimelineRef) -> OSStatus = unsafe AudioQueueDisposeTimeline
        let _:
            (
                AudioQueueRef, AudioQueueTimelineRef?, Out<AudioTimeStamp>?, Out<DarwinBoolean>?
            ) -> OSStatus = unsafe AudioQueueGetCurrentTime
        let _: (AudioQueueRef, Out<AudioTimeStamp>) -> OSStatus = unsafe AudioQueueDeviceGetCurrentTime
        let _: (AudioQueueRef, In<AudioTimeStamp>, Out<AudioTimeStamp>) -> OSStatus =
            unsafe AudioQueueDeviceTranslateTime
        let _: (AudioQueueRef, Out<AudioTimeStamp>, UInt32) -> OSStatus =
            unsafe AudioQueueDeviceGetNearestStartTime
        let _: (AudioQueueRef, In<Format>?, In<AudioChannelLayout>?) -> OSStatus =
            unsafe AudioQueueSetOfflineRenderFormat
        let _: (AudioQueueRef, In<AudioTimeStamp>, AudioQueueBufferRef, UInt32) -> OSStatus =
            unsafe AudioQueueOfflineRender
        let _:
            (
                AudioQueueRef, AudioQueueProcessingTapCallback, UnsafeMutableRawPointer?,
                AudioQueueProcessingTapFlags, Out<UInt32>, Out<Format>, Out<AudioQueueProcessingTapRef?>
            ) -> OSStatus = unsafe AudioQueueProcessingTapNew
        let _: (AudioQueueProcessingTapRef) -> OSStatus = unsafe AudioQueueProcessingTapDispose
        let _:
            (
                AudioQueueProcessingTapRef, UInt32, Out<AudioTimeStamp>, Out<AudioQueueProcessingTapFlags>,
                Out<UInt32>, Out<AudioBufferList>
            ) -> OSStatus = unsafe AudioQueueProcessingTapGetSourceAudio
        let _: (AudioQueueProcessingTapRef, Out<Float64>, Out<UInt32>) -> OSStatus =
            unsafe AudioQueueProcessingTapGetQueueTime
    }

    @Test("AudioConverter.h has 15 functions of the published types") func audioConverter() {
        let _: (UInt32, UnsafeMutableRawPointer?, ((OSStatus) -> Void)?) -> Void =
            unsafe AudioConverterPrepare
        let _: (In<Format>, In<Format>, Out<AudioConverterRef?>) -> OSStatus = unsafe AudioConverterNew
        let _:
            (
                In<Format>, In<Format>, UInt32, In<AudioClassDescription>, Out<AudioConverterRef?>
            ) -> OSStatus = unsafe AudioConverterNewSpecific
        let _: (In<Format>, In<Format>, AudioConverterOptions, Out<AudioConverterRef?>) -> OSStatus =
            unsafe AudioConverterNewWithOptions
        let _: (AudioConverterRef) -> OSStatus = unsafe AudioConverterDispose
        let _: (AudioConverterRef) -> OSStatus = unsafe AudioConverterReset
        let _: (AudioConverterRef, AudioConverterPropertyID, Out<UInt32>?, Out<DarwinBoolean>?) -> OSStatus =
            unsafe AudioConverterGetPropertyInfo
        let _:
            (
                AudioConverterRef, AudioConverterPropertyID, Out<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioConverterGetProperty
        let _: (AudioConverterRef, AudioConverterPropertyID, UInt32, UnsafeRawPointer) -> OSStatus =
            unsafe AudioConverterSetProperty
        let _:
            (
                AudioConverterRef, UInt32, UnsafeRawPointer, Out<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioConverterConvertBuffer
        let _:
            (
                AudioConverterRef, AudioConverterComplexInputDataProc, UnsafeMutableRawPointer?, Out<UInt32>,
                Out<AudioBufferList>, Out<AudioStreamPacketDescription>?
            ) -> OSStatus = unsafe AudioConverterFillComplexBuffer
        let _:
            (
                AudioConverterRef, AudioConverterComplexInputDataProcRealtimeSafe, UnsafeMutableRawPointer?,
                Out<UInt32>, Out<AudioBufferList>, Out<AudioStreamPacketDescription>?
            ) -> OSStatus = unsafe AudioConverterFillComplexBufferRealtimeSafe
        let _:
            (
                AudioConverterRef, AudioConverterComplexInputDataProc, UnsafeMutableRawPointer?, Out<UInt32>,
                Out<AudioBufferList>, Out<AudioStreamPacketDescription>?,
                Out<AudioStreamPacketDependencyDescription>
            ) -> OSStatus = unsafe AudioConverterFillComplexBufferWithPacketDependencies
        let _: (AudioConverterRef, UInt32, In<AudioBufferList>, Out<AudioBufferList>) -> OSStatus =
            unsafe AudioConverterConvertComplexBuffer
        let _:
            (
                AudioConverterRef, AudioConverterInputDataProc, UnsafeMutableRawPointer?, Out<UInt32>,
                UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioConverterFillBuffer
    }

    @Test("AudioFormat.h has 2 functions of the published types") func audioFormat() {
        let _: (AudioFormatPropertyID, UInt32, UnsafeRawPointer?, Out<UInt32>) -> OSStatus =
            unsafe AudioFormatGetPropertyInfo
        let _:
            (
                AudioFormatPropertyID, UInt32, UnsafeRawPointer?, Out<UInt32>?, UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioFormatGetProperty
    }

    @Test("HostTime.h has 5 functions of the published types") func hostTime() {
        let _: () -> UInt64 = AudioGetCurrentHostTime
        let _: () -> Double = AudioGetHostClockFrequency
        let _: () -> UInt32 = AudioGetHostClockMinimumTimeDelta
        let _: (UInt64) -> UInt64 = AudioConvertHostTimeToNanos
        let _: (UInt64) -> UInt64 = AudioConvertNanosToHostTime
    }

    @Test("AudioHardware.h has 10 functions of the published types") func audioHardware() {
        let _: (AudioObjectID) -> Void = AudioObjectShow
        let _: (AudioObjectID, In<AudioObjectPropertyAddress>) -> Bool = unsafe AudioObjectHasProperty
        let _: (AudioObjectID, In<AudioObjectPropertyAddress>, Out<DarwinBoolean>) -> OSStatus =
            unsafe AudioObjectIsPropertySettable
        let _:
            (
                AudioObjectID, In<AudioObjectPropertyAddress>, UInt32, UnsafeRawPointer?, Out<UInt32>
            ) -> OSStatus = unsafe AudioObjectGetPropertyDataSize
        let _:
            (
                AudioObjectID, In<AudioObjectPropertyAddress>, UInt32, UnsafeRawPointer?, Out<UInt32>,
                UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioObjectGetPropertyData
        let _:
            (
                AudioObjectID, In<AudioObjectPropertyAddress>, UInt32, UnsafeRawPointer?, UInt32,
                UnsafeRawPointer
            ) -> OSStatus = unsafe AudioObjectSetPropertyData
        let _:
            (
                AudioObjectID, In<AudioObjectPropertyAddress>, AudioObjectPropertyListenerProc,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioObjectAddPropertyListener
        let _:
            (
                AudioObjectID, In<AudioObjectPropertyAddress>, AudioObjectPropertyListenerProc,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioObjectRemovePropertyListener
        let _:
            (
                AudioObjectID, In<AudioObjectPropertyAddress>, DispatchQueue?,
                @escaping AudioObjectPropertyListenerBlock
            ) -> OSStatus = unsafe AudioObjectAddPropertyListenerBlock
        let _:
            (
                AudioObjectID, In<AudioObjectPropertyAddress>, DispatchQueue?,
                @escaping AudioObjectPropertyListenerBlock
            ) -> OSStatus = unsafe AudioObjectRemovePropertyListenerBlock
    }
}
