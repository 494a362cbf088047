// Written by generate-scripts.py from Unicode 15.0.0; do not edit.

extension PatternScripts {
  /// A line for each script: its name and its ranges.
  static let table: StaticString = """
    Adlam 3q80:2b 5:9 5:1
    Ahom 25o0:q 3:e 5:m
    Anatolian_Hieroglyphs 2h00:i6
    Arabic 1g0:4 2:5 2:d 2:2 2:v 2:9 c:p 2:3b 2:11 2h:1f 7h:u 2:1 7:29 2:s 1sih:3i h:ba 3:2f 3:1l 8 11:f \
    3h:4 2:46 3r4:u 3v:2 1no1:3 2:q 2:1 2 3 2:9 2:3 2 2 7 5 2 2 2:2 2:1 2 3 2 2 2 2 2:1 2 3:3 2:6 2:3 2:3 \
    2 2:9 2:g 6:2 2:4 2:g 1l:1
    Armenian 19h:15 3:1h 3:2 1tc4:4
    Avestan 22o0:1l 4:6
    Balinese 6o0:2c 4:1e
    Bamum 19l0:2n 1g89:ho
    Bassa_Vah 2qmg:t 3:5
    Batak 6u0:1j 9:3
    Bengali 2c0:3 2:7 3:1 3:l 2:6 2 4:3 3:8 3:1 3:3 9 5:1 2:4 3:o
    Bhaiksuki 2700:8 2:1c 2:d b:s
    Bopomofo na:1 bgq:1a 3h:v
    Brahmi 2400:2d 5:13 a
    Braille a00:7v
    Buginese 6g0:r 3:1
    Buhid 5q0:j
    Canadian_Aboriginal 500:jv hh:25 20dr:f
    Carian 20l0:1g
    Caucasian_Albanian 219g:1j c
    Chakma 2480:1k 2:h
    Cham 1ag0:1m a:d 3:9 3:3
    Cherokee 4t0:2l 3:5 15rj:2f
    Chorasmian 23tg:r
    Common 0:20 r:5 r:1e 2:e 2:4 o 10 e2:16 6:4 3:j 3l a 7 2 ju 7 f 4 11 4t g5 42:1 16q cm:3 93 1fg:2 28:1 \
    6c:1 2 16e e 8:3 2:5 2:2 3 o6:b 3:2m 2:a 4:a 2:e i:10 20:15 2:2 3:5 2:q 2:g 1a:2 5:km q:a m:sv 81:jj \
    3:v 2:38 g1:2t cj:b 5:4 2 2:o g:7 5:3 2s:1 4 2r:1 4k:f 11:13 1t:1v 10:2g 1g 2p:57 6e1:1v m81:11 37:2 \
    56:9 7l 51 cc f:1 kej:1 6h:9 n:12 2:i 2:3 4k 2:v r:5 r:a b 1e:1 21:6 2:6 b:4 83:2 5:1c 4:8 2h:c 1k:1c \
    75:q 1ed5:3 4ld:3j 1t:7l b:16 3:1t 4:g 9:1 8:t 5:1s 6m:j d:j d:2m a:o 48:2k 2:26 2:1 3 3:1 3:3 2:b 2 \
    2:6 2:20 2:3 3:7 2:6 2:r 2:3 2:4 2 4:6 2:aj 3:93 3:1h 53i:23 2d:1s m3:1b 5:33 d:e 3:e 2:e 2:14 b:5d \
    1p:p 2:1 e:1b 5:8 8:1 f:5 4r:un 5:g 4:c 4:3m 5:2u 7:b 5 g:b 5:1n 9:9 7:17 9:t 3:1 2f:aj d:d 3:c 4:8 \
    8:1d 2:6 9:d 5:8 8:8 8:4i 2:1m 16:9 o108 v:2v
    Coptic v2:d a4h:3j 6:6
    Cuneiform 2800:sp 37:3e 2:4 c:63
    Cypriot 2200:5 3 2:1b 2:1 4 3
    Cypro_Minoan 2bsg:32
    Cyrillic 100:44 3:58 5qh:8 53 2d 438:v u21:2v lsf:1 1og1:1t 12
    Deseret 2100:2f
    Devanagari 280:2g 5:e 3:p 17r1:v sg1:9
    Dives_Akuru 2680:6 3 3:7 2:1 2:t 2:1 3:b a:9
    Dogra 2600:1r
    Duployan 3f00:3a 6:c 4:8 8:9 3:3
    Egyptian_Hieroglyphs 2c00:12l
    Elbasan 2180:17
    Elymaic 23v0:m
    Ethiopic 4g0:28 2:3 3:6 2 2:3 3:18 2:3 3:10 2:3 3:6 2 2:3 3:e 2:1o 2:3 3:22 3:v 4:p 6f7:m a:6 2:6 2:6 \
    2:6 2:6 2:6 2:6 2:6 v93:5 3:5 3:5 a:6 2:6 2f5i:6 2:3 2:1 2:e
    Georgian 450:15 2 6 3:1a 2:3 2sh:1a 3:2 421:15 2 6
    Glagolitic b00:2v 3ct1:6 2:g 3:6 2:1 2:4
    Gothic 20pg:q
    Grantha 24o0:3 2:7 3:1 3:l 2:6 2:1 2:4 3:8 3:1 3:2 3 7 6:6 3:6 4:4
    Greek rg:3 2:2 3:3 2 5 2 2:2 2 2:j 2:1u f:f 697:4 1j:4 5:4 2l a1:l 3:5 3:15 3:5 3:7 2 2 2 2:u 3:1k 2:e \
    2:d 3:5 2:i 3:2 2:8 98 12hv ler:2e i 1k30:25
    Gujarati 2k1:2 2:8 2:2 2:l 2:6 2:1 2:4 3:9 2:2 2:2 3 g:3 3:b 8:6
    Gunjala_Gondi 27b0:5 2:1 2:14 2:1 2:5 8:9
    Gurmukhi 2g1:2 2:5 5:1 3:l 2:6 2:1 2:1 2:1 3 2:4 5:1 3:2 4 8:3 2 8:g
    Han bk0:p 2:2o d:6l 1g 2 q:8 f:3 u5:6dv 21:kfv m81:bd 3:39 t89:1 d:1 140f:19mv 11:41p 7:6t 3:5k1 f:79g \
    310:gt 1f3:4qa 6:42v
    Hangul 480:7v 7hf:1 82:2t 3i:u 22:u tn2:s k4:at3 d:m 5:1g 9t5:u 4:5 3:5 3:5 3:2
    Hanifi_Rohingya 2380:17 9:9
    Hanunoo 5p0:k
    Hatran 2270:i 2:1 6:4
    Hebrew 1ch:1m 9:q 5:5 1t99:p 2:4 2 2:1 2:1 2:9
    Hiragana c21:2l 7:2 2vr2:8u j u:2 g5e
    Imperial_Aramaic 2220:l 2:8
    Inherited o0:3f 8m:1 e5:a r n1:3 4as:u g2:2 2:c 2:6 5 7 4:1 67:1v gd:1 63:10 3pq:3 3c:1 1jb6:f h:d ug \
    73 42r 1eu5:1d 3:m h1:2 i:7 3:6 v:3 obqj:7f
    Inscriptional_Pahlavi 22r0:i 6:7
    Inscriptional_Parthian 22q0:l 3:7
    Javanese 1ac0:2d 3:9 5:1
    Kaithi 2440:22 b
    Kannada 340:c 2:2 2:m 2:9 2:4 3:8 2:2 2:3 8:1 7:1 2:3 3:9 2:2
    Katakana c51:2p 3:2 7h:f 6h:1e 2:2n 1j0f:9 2:1c 1c2j:3 2:6 2:1 2 90:2 1j f:3
    Kawi 27o0:g 2:18 4:r
    Kayah_Li 1a80:1d 2
    Kharoshthi 22g0:3 2:1 6:7 2:2 2:s 3:2 5:9 8:8
    Khitan_Small_Script 2rv4 6os:el
    Khmer 5s0:2t 3:9 7:9 f7:v
    Khojki 24g0:h 2:1e
    Khudawadi 24lg:1q 6:9
    Lao 3k1:1 2 2:4 2:n 2 2:m 3:4 2 2:6 2:9 3:3
    Latin 21:p 7:p 1g g 6:m 2:u 2:e0 18:4 6gs:15 7:1g 6:3 6:c 2:25 22:7v bi e h:c 4e:1 7 s i:18 2mo:v \
    ul3:35 4:1v 6:1 2 2:4 p:d ph:1a 2:8 2:3 jsn:6 10r:p 7:p 216:5 2:19 2:8 1lq6:u 7:5
    Lepcha 700:1n 4:e 4:2
    Limbu 680:u 2:b 5:b 5 4:b
    Linear_A 21g0:9m a:l b:7
    Linear_B 2000:b 2:p 2:i 2:1 2:e 3:d 13:3q
    Lisu 196g:1f ulh
    Lycian 20k0:s
    Lydian 2290:p 6
    Mahajani 24ag:16
    Makasar 27n0:o
    Malayalam 380:c 2:2 2:1i 2:2 2:5 5:f 3:p
    Mandaic 220:r 3
    Manichaean 22m0:16 5:b
    Marchen 273g:v 3:l 2:d
    Masaram_Gondi 2780:6 2:1 2:1b 4 2:1 2:8 9:9
    Medefaidrin 2ri0:2q
    Meetei_Mayek 1an0:m 6a:1d 3:9
    Mende_Kikakui 3q00:64 3:f
    Meroitic_Cursive 22d0:n 5:j 3:1d
    Meroitic_Hieroglyphs 22c0:v
    Miao 2ro0:2a 5:1o 8:g
    Modi 25g0:24 c:9
    Mongolian 600:1 3 2:j 7:2o 8:1a 1vdm:c
    Mro 2qi0:u 2:9 5:1
    Multani 24k0:6 2 2:3 2:e 2:a
    Myanmar 400:4v 16a1:u 32:v
    Nabataean 2240:u 9:8
    Nag_Mundari 3p6g:19
    Nandinagari 26d0:7 3:1d 3:a
    New_Tai_Lue 6c0:1b 5:p 7:a 4:1
    Newa 2500:2r 2:4
    Nko 1u0:1q 3:2
    Nushu 2rv1 gcf:cb
    Nyiakeng_Puachue_Hmong 3o80:1c 4:d 3:9 5:1
    Ogham 5k0:s
    Ol_Chiki 72g:1f
    Old_Hungarian 2340:1i e:1i 8:5
    Old_Italic 20o0:13 a:2
    Old_North_Arabian 22k0:v
    Old_Permic 20qg:1a
    Old_Persian 20t0:13 5:d
    Old_Sogdian 23o0:17
    Old_South_Arabian 22j0:v
    Old_Turkic 2300:28
    Old_Uyghur 23rg:p
    Oriya 2o1:2 2:7 3:1 3:l 2:6 2:1 2:4 3:8 3:1 3:2 8:2 5:1 2:4 3:h
    Osage 215g:13 5:13
    Osmanya 2140:t 3:9
    Pahawh_Hmong 2qo0:25 b:9 2:6 2:k 6:i
    Palmyrene 2230:v
    Pau_Cin_Hau 26m0:1o
    Phags_Pa 1a20:1n
    Phoenician 2280:r 4
    Psalter_Pahlavi 22s0:h 8:3 d:6
    Rejang 1a9g:13 c
    Runic 5l0:2a 4:a
    Samaritan 200:1d 3:e
    Saurashtra 1a40:25 9:b
    Sharada 24c0:2v
    Shavian 212g:1f
    Siddham 25c0:1l 3:15
    SignWriting 3m00:kb g:4 2:e
    Sinhala 3c1:2 2:h 4:n 2:8 2 3:6 4 5:5 2 2:7 7:9 3:2 20vd:j
    Sogdian 23pg:19
    Sora_Sompeng 246g:o 8:9
    Soyombo 26ig:2i
    Sundanese 6s0:1v 81:7
    Syloti_Nagri 1a00:1c
    Syriac 1o0:d 2:1r 3:2 8h:a
    Tagalog 5o0:l a
    Tagbanwa 5r0:c 2:2 2:1
    Tai_Le 6ag:t 3:4
    Tai_Tham 6h0:1u 2:s 3:a 7:9 7:d
    Tai_Viet 1ak0:22 p:4
    Takri 25k0:1p 7:9
    Tamil 2s2:1 2:5 4:2 2:3 4:1 2 2:1 4:1 4:2 4:b 5:4 4:2 2:3 3 7 f:k 24u6:1h e
    Tangsa 2qjg:2e 2:9
    Tangut 2rv0 10:5vn 9:nv g1:8
    Telugu 300:c 2:2 2:m 2:f 3:8 2:2 2:3 8:1 2:2 3 3:3 3:9 8:8
    Thaana 1s0:1h
    Thai 3g1:1p 6:r
    Tibetan 3o0:27 2:13 5:16 2:13 2:e 2:6 5:1
    Tifinagh b9g:1n 8:1 f
    Tirhuta 2540:27 9:9
    Toto 3okg:u
    Ugaritic 20s0:t 2
    Vai 1980:9b
    Vithkuqi 21bg:a 2:e 2:6 2:1 2:a 2:e 2:6 2:1
    Wancho 3om0:1p 6
    Warang_Citi 2650:2i d
    Yezidi 23k0:19 2:2 3:1
    Yi 1800:14c 4:1m
    Zanabazar_Square 26g0:27
    """
}
