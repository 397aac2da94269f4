internal import Bytes

/// Character references: `&amp;`, `&#233;`, `&#xE9;`.
enum HTMLReference {
    /// Returns the text of the reference at an ampersand and its length; `nil` if it is not a reference.
    ///
    /// A name needs its semicolon, except the names of Latin-1 and the five of XML, which are also read without one.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (text: String, length: Int)? {
        var end = start + 1
        if end < bytes.count, bytes[end] == UInt8(ascii: "#") { return number(bytes, start) }
        while end < bytes.count, end - start <= 32, isLetterOrDigit(bytes[end]) { end += 1 }
        guard end > start + 1 else { return nil }
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        if end < bytes.count, bytes[end] == UInt8(ascii: ";"), let scalar = names[name] {
            return (String(scalar), end + 1 - start)
        }
        guard let scalar = names[name], scalar.value < 0x100 else { return nil }
        guard scalar.value >= 0xA0 || ["amp", "lt", "gt", "quot"].contains(name) else { return nil }
        // In an address, `&copy=1` is a parameter.
        if end < bytes.count, bytes[end] == UInt8(ascii: "=") { return nil }
        return (String(scalar), end - start)
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (text: String, length: Int)? {
        var end = start + 2
        let isHexadecimal = end < bytes.count && bytes[end] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { end += 1 }
        let digits = end
        var value: UInt32 = 0
        while end < bytes.count, end - digits < 64 {
            let byte = bytes[end]
            let digit: UInt32
            if (0x30...0x39).contains(byte) {
                digit = UInt32(byte & 15)
            } else if isHexadecimal, (0x61...0x66).contains(byte | 0x20) {
                digit = UInt32(byte & 15) + 9
            } else {
                break
            }
            value = min(value &* (isHexadecimal ? 16 : 10) &+ digit, 0x11_0000)
            end += 1
        }
        guard end > digits else { return nil }
        if end < bytes.count, bytes[end] == UInt8(ascii: ";") { end += 1 }
        var scalar = value == 0 ? nil : Unicode.Scalar(value)
        if (0x80...0x9F).contains(value) { scalar = Windows1252.scalar(UInt8(value)) }
        return (String(scalar ?? "\u{FFFD}"), end - start)
    }

    /// Returns a title's or an attribute's text: references resolved, white space made single.
    static func resolved(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var text: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "&"), let (part, length) = read(bytes, at: place) {
                text.append(contentsOf: part.utf8)
                place += length
            } else {
                text.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }

    /// Code points of the names of HTML 4 and the common names of HTML 5.
    private static let names: [String: Unicode.Scalar] = {
        var names: [String: Unicode.Scalar] = [:]
        for entry in list.split(separator: ",") {
            let parts = entry.split(separator: " ")
            if parts.count == 2, let value = UInt32(parts[1], radix: 16) {
                names[String(parts[0])] = Unicode.Scalar(value)
            }
        }
        return names
    }()

    private static let list = """
        Tab 9,NewLine A,excl 21,quot 22,num 23,dollar 24,percnt 25,amp 26,apos 27,lpar 28,rpar 29,ast 2A,plus 2B,\
        comma 2C,period 2E,sol 2F,colon 3A,semi 3B,lt 3C,equals 3D,gt 3E,quest 3F,commat 40,lbrack 5B,bsol 5C,\
        rbrack 5D,lowbar 5F,grave 60,lbrace 7B,verbar 7C,vert 7C,rbrace 7D,nbsp A0,iexcl A1,cent A2,pound A3,\
        curren A4,yen A5,brvbar A6,sect A7,uml A8,copy A9,ordf AA,laquo AB,not AC,shy AD,reg AE,macr AF,deg B0,\
        plusmn B1,sup2 B2,sup3 B3,acute B4,micro B5,para B6,middot B7,cedil B8,sup1 B9,ordm BA,raquo BB,frac14 BC,\
        frac12 BD,frac34 BE,iquest BF,Agrave C0,Aacute C1,Acirc C2,Atilde C3,Auml C4,Aring C5,AElig C6,Ccedil C7,\
        Egrave C8,Eacute C9,Ecirc CA,Euml CB,Igrave CC,Iacute CD,Icirc CE,Iuml CF,ETH D0,Ntilde D1,Ograve D2,\
        Oacute D3,Ocirc D4,Otilde D5,Ouml D6,times D7,Oslash D8,Ugrave D9,Uacute DA,Ucirc DB,Uuml DC,Yacute DD,\
        THORN DE,szlig DF,agrave E0,aacute E1,acirc E2,atilde E3,auml E4,aring E5,aelig E6,ccedil E7,egrave E8,\
        eacute E9,ecirc EA,euml EB,igrave EC,iacute ED,icirc EE,iuml EF,eth F0,ntilde F1,ograve F2,oacute F3,\
        ocirc F4,otilde F5,ouml F6,divide F7,oslash F8,ugrave F9,uacute FA,ucirc FB,uuml FC,yacute FD,thorn FE,\
        yuml FF,Amacr 100,amacr 101,Abreve 102,abreve 103,Aogon 104,aogon 105,Cacute 106,cacute 107,Ccaron 10C,\
        ccaron 10D,Dcaron 10E,dcaron 10F,Dstrok 110,dstrok 111,Eogon 118,eogon 119,Ecaron 11A,ecaron 11B,Gbreve 11E,\
        gbreve 11F,Idot 130,inodot 131,Lstrok 141,lstrok 142,Nacute 143,nacute 144,Ncaron 147,ncaron 148,Odblac 150,\
        odblac 151,OElig 152,oelig 153,Rcaron 158,rcaron 159,Sacute 15A,sacute 15B,Scedil 15E,scedil 15F,Scaron 160,\
        scaron 161,Tcaron 164,tcaron 165,Uring 16E,uring 16F,Udblac 170,udblac 171,Yuml 178,Zacute 179,zacute 17A,\
        Zdot 17B,zdot 17C,Zcaron 17D,zcaron 17E,fnof 192,circ 2C6,tilde 2DC,Alpha 391,Beta 392,Gamma 393,Delta 394,\
        Epsilon 395,Zeta 396,Eta 397,Theta 398,Iota 399,Kappa 39A,Lambda 39B,Mu 39C,Nu 39D,Xi 39E,Omicron 39F,\
        Pi 3A0,Rho 3A1,Sigma 3A3,Tau 3A4,Upsilon 3A5,Phi 3A6,Chi 3A7,Psi 3A8,Omega 3A9,alpha 3B1,beta 3B2,gamma 3B3,\
        delta 3B4,epsilon 3B5,zeta 3B6,eta 3B7,theta 3B8,iota 3B9,kappa 3BA,lambda 3BB,mu 3BC,nu 3BD,xi 3BE,\
        omicron 3BF,pi 3C0,rho 3C1,sigmaf 3C2,sigma 3C3,tau 3C4,upsilon 3C5,phi 3C6,chi 3C7,psi 3C8,omega 3C9,\
        thetasym 3D1,upsih 3D2,piv 3D6,ensp 2002,emsp 2003,thinsp 2009,zwnj 200C,zwj 200D,lrm 200E,rlm 200F,\
        dash 2010,hyphen 2010,ndash 2013,mdash 2014,horbar 2015,lsquo 2018,rsquo 2019,lsquor 201A,sbquo 201A,\
        ldquo 201C,rdquo 201D,bdquo 201E,ldquor 201E,dagger 2020,Dagger 2021,bull 2022,hellip 2026,permil 2030,\
        prime 2032,Prime 2033,lsaquo 2039,rsaquo 203A,oline 203E,frasl 2044,euro 20AC,image 2111,numero 2116,\
        copysr 2117,weierp 2118,real 211C,trade 2122,alefsym 2135,larr 2190,uarr 2191,rarr 2192,darr 2193,harr 2194,\
        crarr 21B5,lArr 21D0,uArr 21D1,rArr 21D2,dArr 21D3,hArr 21D4,forall 2200,part 2202,exist 2203,empty 2205,\
        nabla 2207,isin 2208,notin 2209,ni 220B,prod 220F,sum 2211,minus 2212,lowast 2217,radic 221A,prop 221D,\
        infin 221E,ang 2220,and 2227,or 2228,cap 2229,cup 222A,int 222B,there4 2234,sim 223C,cong 2245,approx 2248,\
        asymp 2248,ne 2260,equiv 2261,le 2264,ge 2265,sub 2282,sup 2283,nsub 2284,sube 2286,supe 2287,oplus 2295,\
        otimes 2297,perp 22A5,sdot 22C5,lceil 2308,rceil 2309,lfloor 230A,rfloor 230B,lang 2329,rang 232A,\
        block 2588,square 25A1,loz 25CA,starf 2605,star 2606,phone 260E,spades 2660,clubs 2663,hearts 2665,\
        diams 2666,check 2713,cross 2717
        """
}
