#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the seeds again with SoX, FFmpeg, LAME, libsndfile's tools and our own: sounds of a few milliseconds in
# every container and coding that is read. Needs `make` before.
#   Tests/Fuzzing/make-seeds.sh [FOLDER]        default: the folder "Seeds" beside this script
set -eu
convert=$(realpath "$(dirname "$0")/../../.build/release/aqconvert")
cd "${1:-$(dirname "$0")/Seeds}"
mkdir -p caf aiff wav mp3 adts mp4 flac cookie stream ts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sox() { command sox -R -D -V1 "$@"; }
av() { ffmpeg -nostdin -loglevel error -y "$@"; }
bytes() { printf "$1"; }
tagged="-metadata title=Title -metadata artist=Artist -metadata album=Album"

sox -r 8000 -c 1 -n -b 16 "$work/mono.wav" synth 0.02 sine 440 gain -6
sox -r 44100 -c 2 -n -b 16 "$work/stereo.wav" synth 0.004 sine 440 sine 660 gain -6
sox -r 44100 -c 2 -n -b 16 "$work/long.wav" synth 0.08 sine 440 sine 660 gain -6

# CAF: samples, packets of one size, packets with a table before and behind the data, cookies, texts.
av -i "$work/stereo.wav" $tagged -c:a pcm_s24be caf/samples.caf
av -i "$work/mono.wav" -c:a pcm_f32le caf/float.caf
av -i "$work/mono.wav" -c:a pcm_mulaw caf/mulaw.caf
av -i "$work/mono.wav" -c:a adpcm_ima_qt caf/ima4.caf 2>/dev/null || rm -f caf/ima4.caf
av -i "$work/stereo.wav" -c:a alac caf/alac.caf
"$convert" -d aac -b 48k "$work/long.wav" caf/aac.caf
"$convert" -d ima4 "$work/stereo.wav" caf/ima4-stereo.caf
sndfile-convert -alac16 "$work/stereo.wav" caf/alac-sndfile.caf >/dev/null

# AIFF and AIFF-C.
sox "$work/stereo.wav" aiff/stereo.aiff
sox "$work/mono.wav" -b 24 aiff/deep.aiff
for coding in ulaw alaw float32 ima-adpcm pcms8; do
    sndfile-convert -$coding "$work/mono.wav" aiff/$coding.aifc 2>/dev/null >&2 || rm -f aiff/$coding.aifc
done
av -i "$work/mono.wav" $tagged -c:a pcm_s16le -write_id3v2 1 aiff/little.aiff

# WAVE, and what else has chunks of its kind.
cp "$work/mono.wav" wav/mono.wav
sox "$work/stereo.wav" -b 24 wav/extensible.wav
sox "$work/mono.wav" -e float -b 32 wav/float.wav
for coding in ima-adpcm ms-adpcm gsm610 ulaw alaw; do
    sndfile-convert -$coding "$work/mono.wav" wav/$coding.wav 2>/dev/null >&2 || rm -f wav/$coding.wav
done
av -i "$work/mono.wav" -rf64 always wav/large.wav
av -i "$work/mono.wav" $tagged -write_bext 1 wav/broadcast.wav
av -i "$work/mono.wav" wav/sixtyfour.w64
av -i "$work/mono.wav" -f wav - >wav/piped.wav
sndfile-convert "$work/mono.wav" wav/big.rifx 2>/dev/null >&2 || rm -f wav/big.rifx

# MPEG audio: layers, rates, tags.
lame --quiet -b 32 -m m "$work/mono.wav" mp3/mono.mp3
lame --quiet --preset 32 --tt Title --ta Artist --add-id3v2 "$work/stereo.wav" mp3/tagged.mp3
lame --quiet -V 9 "$work/long.wav" mp3/variable.mp3
lame --quiet -t --nores -b 32 "$work/stereo.wav" mp3/untagged.mp3
lame --quiet --freeformat -b 40 -m m "$work/mono.wav" mp3/free.mp3 2>/dev/null || rm -f mp3/free.mp3
av -i "$work/long.wav" -c:a mp2 -b:a 64k mp3/layer2.mp2
bytes 'APETAGEX\320\007\000\000' | cat mp3/mono.mp3 - >mp3/ape.mp3

# AAC in ADTS.
av -i "$work/long.wav" -c:a aac -b:a 32k adts/stereo.aac
av -i "$work/mono.wav" -c:a aac -b:a 16k adts/mono.aac
av -i "$work/mono.wav" -c:a aac -b:a 16k -write_id3v2 1 $tagged adts/tagged.aac

# MPEG-4.
av -i "$work/long.wav" $tagged -c:a aac -b:a 32k mp4/aac.m4a
av -i "$work/long.wav" -c:a aac -b:a 32k -movflags +faststart mp4/first.m4a
av -i "$work/stereo.wav" -c:a alac -movflags +faststart mp4/alac.m4a
av -i "$work/long.wav" -c:a aac -b:a 32k -movflags +frag_keyframe+empty_moov -frag_duration 20000 mp4/parts.m4a
av -i "$work/mono.wav" -c:a pcm_s16le mp4/samples.mov
av -i "$work/mono.wav" -c:a adpcm_ima_qt mp4/ima4.mov 2>/dev/null || rm -f mp4/ima4.mov

# FLAC: depths, lengths of frames, tags, in Ogg, and from a frame on.
flac() { command flac --silent --force --no-padding --no-seektable "$@"; }
flac -b 64 -o flac/mono.flac "$work/mono.wav"
flac -b 32 -T title=Title -T artist=Artist -o flac/tagged.flac "$work/stereo.wav"
sox "$work/stereo.wav" -b 24 "$work/deep.wav" trim 0 0.002
flac -b 16 -o flac/deep.flac "$work/deep.wav"
sox "$work/mono.wav" -b 8 -c 6 "$work/six.wav" trim 0 0.004
flac -b 16 -o flac/six.flac "$work/six.wav"
flac -b 32 --ogg -o flac/ogg.oga "$work/stereo.wav"
start=$(LC_ALL=C grep -aboP '\xff\xf8' flac/mono.flac | cut -d : -f 1 | sed -n 2p)
tail -c +$((start + 1)) flac/mono.flac >flac/joined.flac

# Cookies: AudioSpecificConfig of LC, HE and HE v2, with an explicit rate and with a program config; an ES
# descriptor, bare and in its box; ALAC's, plain, with a layout, and wrapped; a header of ADTS.
bytes '\022\020' >cookie/lc
bytes '\053\222\010\000' >cookie/he
bytes '\353\212\010\000' >cookie/he2
bytes '\023\210\126\345\245\110\200' >cookie/compatible
bytes '\020\002\004\210\004\100\001\060\000\020\200\000\000\000' >cookie/program
bytes '\027\200\254\104\010' >cookie/rate
esds='\003\200\200\200\042\000\000\000\004\200\200\200\024\100\025\000\030\000\000\001\364\000\000\001\364\000\005\200\200\200\002\022\020\006\200\200\200\001\002'
bytes "$esds" >cookie/descriptor
bytes "\\000\\000\\000\\063esds\\000\\000\\000\\000$esds" >cookie/box
alac='\000\000\020\000\000\020\050\012\016\002\000\377\000\000\100\044\000\025\210\200\000\000\254\104'
bytes "$alac" >cookie/alac
bytes "$alac"'\000\000\000\030chan\000\000\000\000\000\145\000\002\000\000\000\000\000\000\000\000' >cookie/layout
bytes '\000\000\000\014frmaalac\000\000\000\044alac\000\000\000\000'"$alac" >cookie/wrapped
head -c 40 adts/mono.aac >cookie/adts

# Every kind as a stream; MPEG-4 whose index comes first, with and without fragments.
for file in caf/samples.caf caf/alac.caf caf/aac.caf caf/mulaw.caf aiff/stereo.aiff aiff/ulaw.aifc wav/mono.wav \
    wav/large.wav wav/extensible.wav mp3/tagged.mp3 mp3/untagged.mp3 mp3/layer2.mp2 adts/stereo.aac \
    adts/tagged.aac mp4/first.m4a mp4/alac.m4a mp4/parts.m4a
do
    cp "$file" stream/
done

# Transport streams. The seeds of icy, playlist and hls are texts, which were written by hand.
network=$(dirname "$convert")/../../Fixtures/network
cp "$network/tone.ts" ts/audio.ts
head -c 3948 "$network/video.ts" >ts/video.ts
