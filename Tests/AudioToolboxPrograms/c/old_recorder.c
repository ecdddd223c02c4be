// old_recorder.c
// Written for 10.5, never touched since. Usage: old_recorder file.caf seconds
// Asks the queue for the converter's properties by their codes, leaves flags and rate to the system.

#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static AudioFileID gFile;
static SInt64 gPacket;
static volatile int gStop;
static UInt32 gPeakBytes;

static void InputProc(void *ref, AudioQueueRef q, AudioQueueBufferRef buf, const AudioTimeStamp *when,
                      UInt32 numPackets, const AudioStreamPacketDescription *packets)
{
	if (numPackets > 0) {
		UInt32 n = numPackets;
		if (buf->mAudioDataByteSize > gPeakBytes)
			gPeakBytes = buf->mAudioDataByteSize;
		AudioFileWritePackets(gFile, false, buf->mAudioDataByteSize, packets, gPacket, &n, buf->mAudioData);
		gPacket += n;
	}
	if (!gStop) {
		AudioQueueEnqueueBuffer(q, buf, 0, NULL);
		// once is not enough on a busy machine (it was never true, and the error was never looked at)
		AudioQueueEnqueueBuffer(q, buf, 0, NULL);
	}
}

int main(int argc, char **argv)
{
	AudioStreamBasicDescription fmt;
	AudioQueueRef q;
	UInt32 size, maxPacket = 0, frames = 0;
	int i, wantsAAC;
	CFStringRef str;
	CFURLRef url;

	if (argc < 3) return 64;
	wantsAAC = argc > 3 && strcmp(argv[3], "aac") == 0;

	memset(&fmt, 0, sizeof(fmt));
	fmt.mSampleRate = 0;			// the device's
	fmt.mFormatID = wantsAAC ? 'aac ' : 'lpcm';
	fmt.mChannelsPerFrame = 1;
	if (!wantsAAC) {
		fmt.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsBigEndian;
		fmt.mBitsPerChannel = 16;
		fmt.mBytesPerFrame = fmt.mBytesPerPacket = 2;
		fmt.mFramesPerPacket = 1;
	}
	if (AudioQueueNewInput(&fmt, InputProc, NULL, NULL, kCFRunLoopCommonModes, 0, &q)) {
		fprintf(stderr, "no input\n");
		return 1;
	}

	size = sizeof(fmt);
	if (AudioQueueGetProperty(q, 'acod', &fmt, &size)) {
		fprintf(stderr, "acod\n");
		return 1;
	}
	size = sizeof(maxPacket);
	if (AudioQueueGetProperty(q, 'xops', &maxPacket, &size)) {
		fprintf(stderr, "xops\n");
		return 1;
	}
	printf("%g Hz, %u bytes a packet at most\n", fmt.mSampleRate, (unsigned)maxPacket);

	str = CFStringCreateWithCString(NULL, argv[1], kCFStringEncodingUTF8);
	url = CFURLCreateWithFileSystemPath(NULL, str, kCFURLPOSIXPathStyle, false);
	CFRelease(str);
	if (AudioFileCreateWithURL(url, 'caff', &fmt, kAudioFileFlags_EraseFile, &gFile)) {
		fprintf(stderr, "file\n");
		return 1;
	}
	CFRelease(url);

	if (AudioQueueGetPropertySize(q, 'cmgc', &size) == noErr && size > 0) {
		char *cookie = malloc(size);
		if (AudioQueueGetProperty(q, 'cmgc', cookie, &size) == noErr)
			AudioFileSetProperty(gFile, kAudioFilePropertyMagicCookieData, size, cookie);
		free(cookie);
	}

	frames = fmt.mSampleRate / 4;
	for (i = 0; i < 4; i++) {
		AudioQueueBufferRef buf;
		UInt32 packets = fmt.mFramesPerPacket ? frames / fmt.mFramesPerPacket : frames;
		AudioQueueAllocateBuffer(q, packets * maxPacket, &buf);
		AudioQueueEnqueueBuffer(q, buf, 0, NULL);
	}
	AudioQueueStart(q, NULL);
	usleep(atof(argv[2]) * 1000000);
	AudioQueueStop(q, true);
	gStop = 1;
	AudioQueueDispose(q, true);
	AudioFileClose(gFile);
	printf("%lld packets, %u bytes at a time\n", (long long)gPacket, (unsigned)gPeakBytes);
	return gPacket > 0 ? 0 : 1;
}
