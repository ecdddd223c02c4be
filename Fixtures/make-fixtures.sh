#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes every file of this folder again, bit for bit, with SoX 14.4.2, LAME 3.100 and FFmpeg 5.1.9; README.md has the
# frame counts.
#   Fixtures/make-fixtures.sh [FOLDER]        default: the folder of this script
set -eu
cd "${1:-$(dirname "$0")}"
mkdir -p broken network
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# -R: the same random numbers in each run; -D: no dither.
sox() { command sox -R -D -V1 "$@"; }
mp3() { lame --quiet "$@"; }

# A note of HZ with two harmonics under an envelope, half a second long.  note RATE HZ FILE
note() {
    sox -r "$1" -c 3 -n -e float -b 32 "$3" synth 0.5 \
        sine "$2" sine "$(awk "BEGIN { print $2 * 2 }")" sine "$(awk "BEGIN { print $2 * 3 }")" \
        remix 1v0.6,2v0.25,3v0.12 fade h 0.01 0.5 0.2
}

# A voice of eleven notes: 5.5 s.  voice RATE FILE HZ...
voice() {
    voice_rate=$1 voice_file=$2 n=0
    shift 2
    for hz; do
        n=$((n + 1))
        note "$voice_rate" "$hz" "$work/note-$(printf %02d $n).wav"
    done
    sox "$work"/note-*.wav "$voice_file"
    rm "$work"/note-*.wav
}

# The tune: melody left, second voice right, and under both a drone, so that no frame inside is silent.
# tune RATE FILE
tune() {
    voice "$1" "$work/left.wav" 440 523.25 659.25 587.33 523.25 493.88 440 392 440 659.25 440
    voice "$1" "$work/right.wav" 220 261.63 329.63 293.66 349.23 329.63 261.63 246.94 220 164.81 220
    sox -r "$1" -c 2 -n -e float -b 32 "$work/drone.wav" synth 5.5 sine 110 0 25 sine 165 0 20
    sox -M "$work/left.wav" "$work/right.wav" -e float -b 32 "$work/voices.wav"
    sox -m -v 0.45 "$work/voices.wav" -v 0.12 "$work/drone.wav" -e float -b 32 "$2"
}

tune 44100 "$work/tune44.wav"
tune 48000 "$work/tune48.wav"
tune 22050 "$work/tune22.wav"
for rate in 22 44 48; do
    sox "$work/tune$rate.wav" -e signed -b 16 "$work/s$rate.wav"
done
sox "$work/s22.wav" "$work/mono22.wav" remix 1,2

# MPEG audio: the whole tune, and a tone of 10 s.
mp3 --cbr -b 96 --resample 44.1 "$work/s44.wav" tune-cbr.mp3
mp3 -V 4 --resample 44.1 --id3v2-only --tt "Three Buffers" --ta "Audio Queue Services" --tl "Fixtures" "$work/s44.wav" tune-vbr.mp3
mp3 --cbr -b 64 --resample 22.05 "$work/mono22.wav" tune-mono.mp3
sox -r 44100 -c 2 -n -b 16 "$work/tone.wav" synth 441000s sine 440 0 25 sine 440 0 25 gain -6
mp3 --cbr -b 64 --resample 44.1 "$work/tone.wav" tone-10s.mp3

# PCM: the opening of the tune, in lengths of their own.
sox "$work/s44.wav" tune.wav trim 0 44159s
sox "$work/tune48.wav" -e float -b 32 tune-float48.wav trim 0 24007s
sox "$work/s44.wav" tune.aiff trim 0 22051s
sox "$work/s44.wav" tune.caf trim 0 22063s

printf '#EXTM3U\n#EXTINF:6,Three Buffers\ntune-cbr.mp3\n\n# a comment\ntune-vbr.mp3\n' >list.m3u
printf '[playlist]\nFile1=tune.wav\nTitle1=Three Buffers\nLength1=1\nFile2=tune-mono.mp3\nNumberOfEntries=2\nVersion=2\n' >list.pls

# Broken files.
: >broken/empty.mp3
head -c 20000 tune.wav >broken/truncated.wav
head -c 20001 tune-cbr.mp3 >broken/truncated.mp3
printf 'This is a letter and not a song, whatever its name says.\n' >broken/text-named.mp3

# Bare frames of one length each (no tag, no padding, no reservoir), so that they can be cut and joined.
sox "$work/s48.wav" "$work/short48.wav" trim 0 1
sox "$work/s44.wav" "$work/short44.wav" trim 0 1
sox "$work/short48.wav" "$work/short48mono.wav" remix 1,2
mp3 -t --nores --cbr -b 96 --resample 48 "$work/short48.wav" "$work/48.mp3"
mp3 -t --nores --cbr -b 96 --resample 48 -m m "$work/short48mono.wav" "$work/48mono.mp3"
mp3 -t --nores --cbr -b 96 --resample 44.1 "$work/short44.wav" "$work/44.mp3"
{
    head -c $((20 * 288)) "$work/48.mp3"
    yes 'garbage that no decoder takes for a frame' | head -c 4001
    tail -c +$((20 * 288 + 1)) "$work/48.mp3"
} >broken/garbage-between-frames.mp3
cat "$work/44.mp3" "$work/48.mp3" >broken/rate-change.mp3
cat "$work/48.mp3" "$work/48mono.mp3" >broken/channel-change.mp3

# A picture of one pixel.
printf '\211PNG\r\n\032\n\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233\125' \
    >broken/png-named.wav
printf '\000\000\000\012IDAT\170\234\143\140\000\000\000\002\000\001\110\257\244\161\000\000\000\000IEND\256\102\140\202' \
    >>broken/png-named.wav

# WAVE headers of 16-bit PCM with 400 bytes of data.  wave CHANNELS RATE (as bytes)
wave() {
    printf 'RIFF\264\001\000\000WAVEfmt \020\000\000\000\001\000%b%b%b%b\020\000data\220\001\000\000' \
        "$1" "$2" "$2" '\0004\0000'
    yes 'abc' | head -c 400
}
wave '\0000\0000' '\0104\0254\0000\0000' >broken/zero-channels.wav
wave '\0002\0000' '\0000\0000\0000\0000' >broken/rate-zero.wav
wave '\0002\0000' '\0000\0312\0232\0073' >broken/rate-huge.wav # 10^9 Hz

# 2^63 - 1 bytes promised, 400 there: CAF's data chunk, RF64's ds64 chunk.
{
    printf 'caff\000\001\000\000desc\000\000\000\000\000\000\000\040\100\345\210\200\000\000\000\000lpcm\000\000\000\002'
    printf '\000\000\000\004\000\000\000\001\000\000\000\002\000\000\000\020'
    printf 'data\177\377\377\377\377\377\377\377\000\000\000\000'
    yes 'abc' | head -c 400
} >broken/frames-huge.caf
{
    printf 'RF64\377\377\377\377WAVEds64\034\000\000\000'
    printf '\377\377\377\377\377\377\377\177\377\377\377\377\377\377\377\177\377\377\377\377\377\377\377\177\000\000\000\000'
    printf 'fmt \020\000\000\000\001\000\002\000\104\254\000\000\020\261\002\000\004\000\020\000data\377\377\377\377'
    yes 'abc' | head -c 400
} >broken/frames-huge.wav

# Transport streams, and the packets that are in them.
av() { ffmpeg -nostdin -loglevel error -y -bitexact "$@"; }
sox -r 16000 -c 1 -n -b 16 "$work/low.wav" synth 0.6 sine 440 gain -6
sox -r 48000 -c 1 -n -b 16 "$work/high.wav" synth 0.3 sine 440 gain -6
av -i "$work/low.wav" -c:a aac -b:a 16k -f adts network/tone.aac
av -i network/tone.aac -c copy -f mpegts network/tone.ts
av -i "$work/high.wav" -c:a mp2 -b:a 32k network/tone.mp2
av -i network/tone.mp2 -f lavfi -i testsrc=size=16x16:rate=25:duration=0.3 -map 1:v -map 0:a -c:a copy \
    -c:v mpeg2video -f mpegts network/video.ts
