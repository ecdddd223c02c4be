import AudioToolbox
import Dispatch
import Testing

/// Checks that Swift sees each function with its original type. The compiler checks: a function of another type cannot
/// be assigned.
@Suite struct SwiftFunctionTests {
    @Test("AudioQueue.h has 35 functions of the published types") func audioQueue() {
        let _:
            (
                UnsafePointer<AudioStreamBasicDescription>, AudioQueueOutputCallback,
                UnsafeMutableRawPointer?,
                CFRunLoop?, CFString?, UInt32, UnsafeMutablePointer<AudioQueueRef?>
            ) -> OSStatus = unsafe AudioQueueNewOutput
        let _:
            (
                UnsafePointer<AudioStreamBasicDescription>, AudioQueueInputCallback, UnsafeMutableRawPointer?,
                CFRunLoop?, CFString?, UInt32, UnsafeMutablePointer<AudioQueueRef?>
            ) -> OSStatus = unsafe AudioQueueNewInput
        let _:
            (
                UnsafeMutablePointer<AudioQueueRef?>, UnsafePointer<AudioStreamBasicDescription>, UInt32,
                DispatchQueue, @escaping AudioQueueOutputCallbackBlock
            ) -> OSStatus = unsafe AudioQueueNewOutputWithDispatchQueue
        let _:
            (
                UnsafeMutablePointer<AudioQueueRef?>, UnsafePointer<AudioStreamBasicDescription>, UInt32,
                DispatchQueue, @escaping AudioQueueInputCallbackBlock
            ) -> OSStatus = unsafe AudioQueueNewInputWithDispatchQueue
        let _: (AudioQueueRef, Bool) -> OSStatus = unsafe AudioQueueDispose
        let _:
            (
                AudioQueueRef, UInt32, UnsafeMutablePointer<AudioQueueBufferRef?>
            ) -> OSStatus = unsafe AudioQueueAllocateBuffer
        let _:
            (
                AudioQueueRef, UInt32, UInt32, UnsafeMutablePointer<AudioQueueBufferRef?>
            ) -> OSStatus = unsafe AudioQueueAllocateBufferWithPacketDescriptions
        let _: (AudioQueueRef, AudioQueueBufferRef) -> OSStatus = unsafe AudioQueueFreeBuffer
        let _:
            (
                AudioQueueRef, AudioQueueBufferRef, UInt32, UnsafePointer<AudioStreamPacketDescription>?
            ) -> OSStatus = unsafe AudioQueueEnqueueBuffer
        let _:
            (
                AudioQueueRef, AudioQueueBufferRef, UInt32, UnsafePointer<AudioStreamPacketDescription>?,
                UInt32,
                UInt32, UInt32, UnsafePointer<AudioQueueParameterEvent>?, UnsafePointer<AudioTimeStamp>?,
                UnsafeMutablePointer<AudioTimeStamp>?
            ) -> OSStatus = unsafe AudioQueueEnqueueBufferWithParameters
        let _: (AudioQueueRef, UnsafePointer<AudioTimeStamp>?) -> OSStatus = unsafe AudioQueueStart
        let _: (AudioQueueRef, UInt32, UnsafeMutablePointer<UInt32>?) -> OSStatus = unsafe AudioQueuePrime
        let _: (AudioQueueRef, Bool) -> OSStatus = unsafe AudioQueueStop
        let _: (AudioQueueRef) -> OSStatus = unsafe AudioQueuePause
        let _: (AudioQueueRef) -> OSStatus = unsafe AudioQueueFlush
        let _: (AudioQueueRef) -> OSStatus = unsafe AudioQueueReset
        let _:
            (
                AudioQueueRef, AudioQueueParameterID, UnsafeMutablePointer<AudioQueueParameterValue>
            ) -> OSStatus = unsafe AudioQueueGetParameter
        let _:
            (
                AudioQueueRef, AudioQueueParameterID, AudioQueueParameterValue
            ) -> OSStatus = unsafe AudioQueueSetParameter
        let _:
            (
                AudioQueueRef, AudioQueuePropertyID, UnsafeMutableRawPointer, UnsafeMutablePointer<UInt32>
            ) -> OSStatus = unsafe AudioQueueGetProperty
        let _:
            (
                AudioQueueRef, AudioQueuePropertyID, UnsafeRawPointer, UInt32
            ) -> OSStatus = unsafe AudioQueueSetProperty
        let _:
            (
                AudioQueueRef, AudioQueuePropertyID, UnsafeMutablePointer<UInt32>
            ) -> OSStatus = unsafe AudioQueueGetPropertySize
        let _:
            (
                AudioQueueRef, AudioQueuePropertyID, AudioQueuePropertyListenerProc, UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioQueueAddPropertyListener
        let _:
            (
                AudioQueueRef, AudioQueuePropertyID, AudioQueuePropertyListenerProc, UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioQueueRemovePropertyListener
        let _:
            (
                AudioQueueRef, UnsafeMutablePointer<AudioQueueTimelineRef?>
            ) -> OSStatus = unsafe AudioQueueCreateTimeline
        let _: (AudioQueueRef, AudioQueueTimelineRef) -> OSStatus = unsafe AudioQueueDisposeTimeline
        let _:
            (
                AudioQueueRef, AudioQueueTimelineRef?, UnsafeMutablePointer<AudioTimeStamp>?,
                UnsafeMutablePointer<DarwinBoolean>?
            ) -> OSStatus = unsafe AudioQueueGetCurrentTime
        let _:
            (
                AudioQueueRef, UnsafeMutablePointer<AudioTimeStamp>
            ) -> OSStatus = unsafe AudioQueueDeviceGetCurrentTime
        let _:
            (
                AudioQueueRef, UnsafePointer<AudioTimeStamp>, UnsafeMutablePointer<AudioTimeStamp>
            ) -> OSStatus = unsafe AudioQueueDeviceTranslateTime
        let _:
            (
                AudioQueueRef, UnsafeMutablePointer<AudioTimeStamp>, UInt32
            ) -> OSStatus = unsafe AudioQueueDeviceGetNearestStartTime
        let _:
            (
                AudioQueueRef, UnsafePointer<AudioStreamBasicDescription>?, UnsafePointer<AudioChannelLayout>?
            ) -> OSStatus = unsafe AudioQueueSetOfflineRenderFormat
        let _:
            (
                AudioQueueRef, UnsafePointer<AudioTimeStamp>, AudioQueueBufferRef, UInt32
            ) -> OSStatus = unsafe AudioQueueOfflineRender
        let _:
            (
                AudioQueueRef, AudioQueueProcessingTapCallback, UnsafeMutableRawPointer?,
                AudioQueueProcessingTapFlags, UnsafeMutablePointer<UInt32>,
                UnsafeMutablePointer<AudioStreamBasicDescription>,
                UnsafeMutablePointer<AudioQueueProcessingTapRef?>
            ) -> OSStatus = unsafe AudioQueueProcessingTapNew
        let _: (AudioQueueProcessingTapRef) -> OSStatus = unsafe AudioQueueProcessingTapDispose
        let _:
            (
                AudioQueueProcessingTapRef, UInt32, UnsafeMutablePointer<AudioTimeStamp>,
                UnsafeMutablePointer<AudioQueueProcessingTapFlags>, UnsafeMutablePointer<UInt32>,
                UnsafeMutablePointer<AudioBufferList>
            ) -> OSStatus = unsafe AudioQueueProcessingTapGetSourceAudio
        let _:
            (
                AudioQueueProcessingTapRef, UnsafeMutablePointer<Float64>, UnsafeMutablePointer<UInt32>
            ) -> OSStatus = unsafe AudioQueueProcessingTapGetQueueTime
    }

    @Test("AudioConverter.h has 15 functions of the published types") func audioConverter() {
        let _: (UInt32, UnsafeMutableRawPointer?, ((OSStatus) -> Void)?) -> Void =
            unsafe AudioConverterPrepare
        let _:
            (
                UnsafePointer<AudioStreamBasicDescription>, UnsafePointer<AudioStreamBasicDescription>,
                UnsafeMutablePointer<AudioConverterRef?>
            ) -> OSStatus = unsafe AudioConverterNew
        let _:
            (
                UnsafePointer<AudioStreamBasicDescription>, UnsafePointer<AudioStreamBasicDescription>,
                UInt32,
                UnsafePointer<AudioClassDescription>, UnsafeMutablePointer<AudioConverterRef?>
            ) -> OSStatus = unsafe AudioConverterNewSpecific
        let _:
            (
                UnsafePointer<AudioStreamBasicDescription>, UnsafePointer<AudioStreamBasicDescription>,
                AudioConverterOptions, UnsafeMutablePointer<AudioConverterRef?>
            ) -> OSStatus = unsafe AudioConverterNewWithOptions
        let _: (AudioConverterRef) -> OSStatus = unsafe AudioConverterDispose
        let _: (AudioConverterRef) -> OSStatus = unsafe AudioConverterReset
        let _:
            (
                AudioConverterRef, AudioConverterPropertyID, UnsafeMutablePointer<UInt32>?,
                UnsafeMutablePointer<DarwinBoolean>?
            ) -> OSStatus = unsafe AudioConverterGetPropertyInfo
        let _:
            (
                AudioConverterRef, AudioConverterPropertyID, UnsafeMutablePointer<UInt32>,
                UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioConverterGetProperty
        let _:
            (
                AudioConverterRef, AudioConverterPropertyID, UInt32, UnsafeRawPointer
            ) -> OSStatus = unsafe AudioConverterSetProperty
        let _:
            (
                AudioConverterRef, UInt32, UnsafeRawPointer, UnsafeMutablePointer<UInt32>,
                UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioConverterConvertBuffer
        let _:
            (
                AudioConverterRef, AudioConverterComplexInputDataProc, UnsafeMutableRawPointer?,
                UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>,
                UnsafeMutablePointer<AudioStreamPacketDescription>?
            ) -> OSStatus = unsafe AudioConverterFillComplexBuffer
        let _:
            (
                AudioConverterRef, AudioConverterComplexInputDataProcRealtimeSafe, UnsafeMutableRawPointer?,
                UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>,
                UnsafeMutablePointer<AudioStreamPacketDescription>?
            ) -> OSStatus = unsafe AudioConverterFillComplexBufferRealtimeSafe
        let _:
            (
                AudioConverterRef, AudioConverterComplexInputDataProc, UnsafeMutableRawPointer?,
                UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>,
                UnsafeMutablePointer<AudioStreamPacketDescription>?,
                UnsafeMutablePointer<AudioStreamPacketDependencyDescription>
            ) -> OSStatus = unsafe AudioConverterFillComplexBufferWithPacketDependencies
        let _:
            (
                AudioConverterRef, UInt32, UnsafePointer<AudioBufferList>,
                UnsafeMutablePointer<AudioBufferList>
            ) -> OSStatus = unsafe AudioConverterConvertComplexBuffer
        let _:
            (
                AudioConverterRef, AudioConverterInputDataProc, UnsafeMutableRawPointer?,
                UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioConverterFillBuffer
    }

    @Test("AudioFormat.h has 2 functions of the published types") func audioFormat() {
        let _:
            (
                AudioFormatPropertyID, UInt32, UnsafeRawPointer?, UnsafeMutablePointer<UInt32>
            ) -> OSStatus = unsafe AudioFormatGetPropertyInfo
        let _:
            (
                AudioFormatPropertyID, UInt32, UnsafeRawPointer?, UnsafeMutablePointer<UInt32>?,
                UnsafeMutableRawPointer?
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
        let _: (AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>) -> Bool =
            unsafe AudioObjectHasProperty
        let _:
            (
                AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>, UnsafeMutablePointer<DarwinBoolean>
            ) -> OSStatus = unsafe AudioObjectIsPropertySettable
        let _:
            (
                AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>, UInt32, UnsafeRawPointer?,
                UnsafeMutablePointer<UInt32>
            ) -> OSStatus = unsafe AudioObjectGetPropertyDataSize
        let _:
            (
                AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>, UInt32, UnsafeRawPointer?,
                UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioObjectGetPropertyData
        let _:
            (
                AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>, UInt32, UnsafeRawPointer?, UInt32,
                UnsafeRawPointer
            ) -> OSStatus = unsafe AudioObjectSetPropertyData
        let _:
            (
                AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>, AudioObjectPropertyListenerProc,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioObjectAddPropertyListener
        let _:
            (
                AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>, AudioObjectPropertyListenerProc,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioObjectRemovePropertyListener
        let _:
            (
                AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>, DispatchQueue?,
                @escaping AudioObjectPropertyListenerBlock
            ) -> OSStatus = unsafe AudioObjectAddPropertyListenerBlock
        let _:
            (
                AudioObjectID, UnsafePointer<AudioObjectPropertyAddress>, DispatchQueue?,
                @escaping AudioObjectPropertyListenerBlock
            ) -> OSStatus = unsafe AudioObjectRemovePropertyListenerBlock
    }
}
