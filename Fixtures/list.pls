[playlist]
File1=tune.wav
Title1=Three Buffers
Length1=1
File2=tune-mono.mp3
NumberOfEntries=2
Version=2
