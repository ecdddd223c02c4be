import CoreAudioTypes
import Testing

/// A program built against the published headers must find each field at its offset.
@Suite("Published struct layouts")
struct StructLayoutTests {
    private func expect<T>(
        _ type: T.Type, size: Int, alignment: Int, offsets: [(PartialKeyPath<T>, Int)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(MemoryLayout<T>.size == size, sourceLocation: sourceLocation)
        #expect(MemoryLayout<T>.stride == size, sourceLocation: sourceLocation)
        #expect(MemoryLayout<T>.alignment == alignment, sourceLocation: sourceLocation)
        for (field, offset) in offsets {
            #expect(MemoryLayout<T>.offset(of: field) == offset, sourceLocation: sourceLocation)
        }
    }

    @Test("AudioStreamBasicDescription")
    func audioStreamBasicDescription() {
        expect(
            AudioStreamBasicDescription.self, size: 40, alignment: 8,
            offsets: [
                (\.mSampleRate, 0), (\.mFormatID, 8), (\.mFormatFlags, 12), (\.mBytesPerPacket, 16),
                (\.mFramesPerPacket, 20), (\.mBytesPerFrame, 24), (\.mChannelsPerFrame, 28),
                (\.mBitsPerChannel, 32), (\.mReserved, 36),
            ])
    }

    @Test("AudioStreamPacketDescription")
    func audioStreamPacketDescription() {
        expect(
            AudioStreamPacketDescription.self, size: 16, alignment: 8,
            offsets: [(\.mStartOffset, 0), (\.mVariableFramesInPacket, 8), (\.mDataByteSize, 12)])
    }

    @Test("AudioStreamPacketDependencyDescription")
    func audioStreamPacketDependencyDescription() {
        expect(
            AudioStreamPacketDependencyDescription.self, size: 16, alignment: 4,
            offsets: [
                (\.mIsIndependentlyDecodable, 0), (\.mPreRollCount, 4), (\.mFlags, 8), (\.mReserved, 12),
            ])
    }

    @Test("AudioBuffer")
    func audioBuffer() {
        unsafe expect(
            AudioBuffer.self, size: 16, alignment: 8,
            offsets: [(\.mNumberChannels, 0), (\.mDataByteSize, 4), (\.mData, 8)])
    }

    @Test("AudioBufferList")
    func audioBufferList() {
        unsafe expect(
            AudioBufferList.self, size: 24, alignment: 8,
            offsets: [(\.mNumberBuffers, 0), (\.mBuffers, 8)])
    }

    @Test("AudioTimeStamp")
    func audioTimeStamp() {
        expect(
            AudioTimeStamp.self, size: 64, alignment: 8,
            offsets: [
                (\.mSampleTime, 0), (\.mHostTime, 8), (\.mRateScalar, 16), (\.mWordClockTime, 24),
                (\.mSMPTETime, 32), (\.mFlags, 56), (\.mReserved, 60),
            ])
    }

    @Test("SMPTETime")
    func smpteTime() {
        expect(
            SMPTETime.self, size: 24, alignment: 4,
            offsets: [
                (\.mSubframes, 0), (\.mSubframeDivisor, 2), (\.mCounter, 4), (\.mType, 8), (\.mFlags, 12),
                (\.mHours, 16), (\.mMinutes, 18), (\.mSeconds, 20), (\.mFrames, 22),
            ])
    }

    @Test("AudioValueRange")
    func audioValueRange() {
        expect(
            AudioValueRange.self, size: 16, alignment: 8,
            offsets: [(\.mMinimum, 0), (\.mMaximum, 8)])
    }

    @Test("AudioValueTranslation")
    func audioValueTranslation() {
        unsafe expect(
            AudioValueTranslation.self, size: 32, alignment: 8,
            offsets: [(\.mInputData, 0), (\.mInputDataSize, 8), (\.mOutputData, 16), (\.mOutputDataSize, 24)])
    }

    @Test("AudioClassDescription")
    func audioClassDescription() {
        expect(
            AudioClassDescription.self, size: 12, alignment: 4,
            offsets: [(\.mType, 0), (\.mSubType, 4), (\.mManufacturer, 8)])
    }

    @Test("AudioChannelDescription")
    func audioChannelDescription() {
        expect(
            AudioChannelDescription.self, size: 20, alignment: 4,
            offsets: [(\.mChannelLabel, 0), (\.mChannelFlags, 4), (\.mCoordinates, 8)])
    }

    @Test("AudioChannelLayout")
    func audioChannelLayout() {
        expect(
            AudioChannelLayout.self, size: 32, alignment: 4,
            offsets: [
                (\.mChannelLayoutTag, 0), (\.mChannelBitmap, 4), (\.mNumberChannelDescriptions, 8),
                (\.mChannelDescriptions, 12),
            ])
    }

    @Test("AudioFormatListItem")
    func audioFormatListItem() {
        expect(
            AudioFormatListItem.self, size: 48, alignment: 8,
            offsets: [(\.mASBD, 0), (\.mChannelLayoutTag, 40)])
    }
}
