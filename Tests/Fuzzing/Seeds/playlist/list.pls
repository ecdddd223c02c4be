[playlist]
NumberOfEntries=2
File1=https://u:p@example.org/;stream
Title1=One
Length1=-1
File2=b.ogg
Version=2
