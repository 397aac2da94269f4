/// The terminal's reply to OSC 11: `11;rgb:RRRR/GGGG/BBBB`, with one to four hexadecimal digits per channel.
package enum BackgroundReply {
    package static func color(in text: some Sequence<UInt8>) -> Quantizer.RGB? {
        let fields = String(decoding: Array(text), as: UTF8.self).split(separator: ";", maxSplits: 1)
        guard fields.count == 2, fields[0] == "11" else { return nil }
        let parts = fields[1].split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0] == "rgb" || parts[0] == "rgba" else { return nil }
        let channels = parts[1].split(separator: "/").prefix(3).compactMap(channel)
        guard channels.count == 3 else { return nil }
        return Quantizer.RGB(red: channels[0], green: channels[1], blue: channels[2])
    }

    private static func channel(_ digits: Substring) -> Int? {
        guard (1...4).contains(digits.utf8.count), let value = Int(digits, radix: 16), value >= 0 else { return nil }
        return value * 255 / ((1 << (4 * digits.utf8.count)) - 1)
    }
}
