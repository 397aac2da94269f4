internal import Bytes
internal import Training

/// Reads TensorBoard event files: TFRecord frames with a protobuf `Event` in each.
///
/// A frame is the length (8 bytes, little-endian), the masked CRC-32C of the length, the bytes, and their masked CRC-32C.
/// Of an event, scalars count, old (`simple_value`) and new (a tensor of one number), texts become samples, and the
/// hyperparameters of a session the configuration. Source: tensorflow/core/util/event.proto, framework/summary.proto,
/// framework/tensor.proto, lib/io/record_writer.
struct TensorBoardReader {
    /// Longer records are pictures, sound or graphs: they are passed over unread.
    static let longestRecord = 64 << 20
    private static let frame = 16

    /// Whether these are the first bytes of an event file.
    static func recognizes(_ head: UnsafeRawBufferPointer) -> Bool {
        guard head.count >= 12 else { return false }
        let length = head.loadUnaligned(as: UInt64.self).littleEndian
        return length > 0 && length < 1 << 32 && hasLength(head)
    }

    private static func hasLength(_ head: UnsafeRawBufferPointer) -> Bool {
        let found = UInt32(littleEndian: head.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        return found == Checksum.masked(Checksum.castagnoli.of(UnsafeRawBufferPointer(rebasing: head[..<8])))
    }

    /// Reads what is new of a file of a run.
    func read(_ file: String, into intake: inout RunIntake) throws {
        let window = try FileWindow(file, from: intake.place(of: file).position)
        intake.head.changed = max(intake.head.changed, window.changed)
        while let head = try window.next(12) {
            guard Self.hasLength(head) else {
                intake.note(
                    "\(file), byte \(window.offset): a record is damaged, and the records after it cannot be found. "
                        + "The records before it are imported.")
                break
            }
            let length = head.loadUnaligned(as: UInt64.self).littleEndian
            // A record that does not end in the file is being written.
            guard length <= UInt64(max(0, window.left - Self.frame)) else { break }
            let whole = Int(length) + Self.frame
            if length > UInt64(Self.longestRecord) {
                intake.note("\(file), byte \(window.offset): skipped a record of \(length) bytes.")
            } else {
                guard let bytes = try window.next(whole) else { break }
                let event = UnsafeRawBufferPointer(rebasing: bytes[12..<(12 + Int(length))])
                let checksum = bytes.loadUnaligned(fromByteOffset: 12 + Int(length), as: UInt32.self).littleEndian
                if checksum != Checksum.masked(Checksum.castagnoli.of(event)) {
                    intake.note("\(file), byte \(window.offset): skipped a damaged record.")
                } else if !(try read(event: event, &intake)) {
                    intake.note("\(file), byte \(window.offset): skipped a record that is not an event.")
                }
            }
            window.skip(whole)
            try intake.reached(file, window.offset)
        }
        try intake.reached(file, window.offset)
    }

    /// - Returns: false if the bytes are not an event.
    private func read(event bytes: UnsafeRawBufferPointer, _ intake: inout RunIntake) throws -> Bool {
        var event = ProtobufReader(bytes)
        var step: Int64 = 0
        var time: Int64 = 0
        var summary: ProtobufReader?
        var isStart = false
        do {
            while let field = try event.next() {
                switch field.number {
                case 1: time = FollowedTime.nanoseconds(seconds: field.double)
                case 2: step = field.int ?? 0
                case 5: summary = field.message
                case 7: isStart = try Self.isStart(field)
                default: break
                }
            }
            // A run that is started again says from which step on the earlier points are void.
            if isStart, step > 0 { try intake.purge(from: step) }
            while let value = try summary?.next() {
                guard value.number == 1, let message = value.message else { continue }
                try SummaryValue(message).add(to: &intake, step: step, time: time)
            }
        } catch is ByteDamage {
            return false
        }
        return true
    }

    private static func isStart(_ field: ProtobufReader.Field) throws(ByteDamage) -> Bool {
        var log = field.message
        while let status = try log?.next() {
            if status.number == 1, status.int == 1 { return true }
        }
        return false
    }
}

/// Seconds since 1970 of a foreign clock.
enum FollowedTime {
    /// Nanoseconds; 0 for what is not a time between 1970 and 2262.
    static func nanoseconds(seconds: Double?) -> Int64 {
        guard let seconds, seconds > 0, seconds < 9.2e9 else { return 0 }
        return Int64((seconds * 1e9).rounded())
    }
}
