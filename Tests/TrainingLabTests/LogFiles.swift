/// Writes the files of other programs, byte by byte as their formats say, for tests that read them.
enum LogFiles {
    // MARK: Protobuf

    static func varint(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func field(_ number: Int, varint value: UInt64) -> [UInt8] { varint(UInt64(number) << 3) + varint(value) }

    static func field(_ number: Int, _ value: Double) -> [UInt8] {
        varint(UInt64(number) << 3 | 1) + bytes(value.bitPattern)
    }

    static func field(_ number: Int, _ value: Float) -> [UInt8] {
        varint(UInt64(number) << 3 | 5) + bytes(value.bitPattern)
    }

    static func field(_ number: Int, _ value: [UInt8]) -> [UInt8] {
        varint(UInt64(number) << 3 | 2) + varint(UInt64(value.count)) + value
    }

    static func field(_ number: Int, _ value: String) -> [UInt8] { field(number, Array(value.utf8)) }

    static func bytes<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.littleEndian) { Array($0) }
    }

    // MARK: Checksums, bit by bit

    static func crc(_ bytes: [UInt8], polynomial: UInt32) -> UInt32 {
        var rest = ~UInt32(0)
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : (rest >> 1) ^ polynomial }
        }
        return ~rest
    }

    private static func masked(_ bytes: [UInt8]) -> [UInt8] {
        let sum = crc(bytes, polynomial: 0x82F6_3B78)
        return Self.bytes(((sum >> 15) | (sum << 17)) &+ 0xA282_EAD8)
    }

    // MARK: TensorBoard

    static func frame(_ record: [UInt8]) -> [UInt8] {
        let length = bytes(UInt64(record.count))
        return length + masked(length) + record + masked(record)
    }

    static func event(step: Int, time: Double = 1.7e9, _ content: [UInt8]) -> [UInt8] {
        frame(field(1, time) + field(2, varint: UInt64(bitPattern: Int64(step))) + content)
    }

    static let version = frame(field(1, 1.7e9) + field(3, "brain.Event:2"))

    static func scalar(_ tag: String, _ value: Float, step: Int, time: Double = 1.7e9) -> [UInt8] {
        event(step: step, time: time, field(5, field(1, field(1, tag) + field(2, value))))
    }

    static func tensor(_ tag: String, _ tensor: [UInt8], plugin: String = "scalars", step: Int) -> [UInt8] {
        let metadata = field(9, field(1, field(1, plugin)))
        return event(step: step, field(5, field(1, field(1, tag) + metadata + field(8, tensor))))
    }

    /// A session that begins: earlier points from its step on are void.
    static func start(step: Int) -> [UInt8] { event(step: step, field(7, field(1, varint: 1))) }

    static func hyperparameters(_ pairs: [(String, [UInt8])]) -> [UInt8] {
        let entries = pairs.flatMap { field(1, field(1, $0.0) + field(2, $0.1)) }
        let metadata = field(9, field(1, field(1, "hparams") + field(2, field(3, entries))))
        return event(step: 0, field(5, field(1, field(1, "_hparams_/session_start_info") + metadata)))
    }

    // MARK: Weights & Biases

    /// A `.wandb` file of records, in fragments that respect blocks of 32 KiB.
    static func wandb(_ records: [[UInt8]]) -> [UInt8] {
        var file: [UInt8] = [0x3A, 0x57, 0x26, 0x42, 0xE1, 0xBE, 0]
        for record in records {
            var rest = record[...]
            var isFirst = true
            repeat {
                var room = 32_768 - file.count % 32_768
                if room < 7 {
                    file += [UInt8](repeating: 0, count: room)
                    room = 32_768
                }
                let piece = rest.prefix(room - 7)
                rest = rest.dropFirst(piece.count)
                let type: UInt8 = isFirst ? (rest.isEmpty ? 1 : 2) : (rest.isEmpty ? 4 : 3)
                file +=
                    bytes(crc([type] + piece, polynomial: 0xEDB8_8320)) + bytes(UInt16(piece.count)) + [type] + piece
                isFirst = false
            } while !rest.isEmpty
        }
        return file
    }

    static func item(_ key: String, _ json: String) -> [UInt8] { field(1, key) + field(16, json) }

    static func history(step: Int, _ items: [[UInt8]]) -> [UInt8] {
        field(2, items.flatMap { field(1, $0) } + field(2, field(1, varint: UInt64(step))))
    }
}
