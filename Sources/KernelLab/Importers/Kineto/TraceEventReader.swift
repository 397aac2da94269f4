import Glibc
internal import System

/// Splits a trace in the format of Chrome into its events, holding one of them at a time.
///
/// The file is an object whose member `traceEvents` is a long array, or that array alone. Other members are handed out
/// whole if they are short. Splitting follows brackets and quotes and does not validate: that is the parser's part.
final class TraceEventReader {
    enum Piece {
        /// A member of the file's object other than `traceEvents`.
        case member(key: String, value: UnsafeBufferPointer<UInt8>)
        case event(UnsafeBufferPointer<UInt8>)
    }

    private enum Place {
        case beginning, object, events(inObject: Bool), end
    }

    /// Offset in the file of the piece handed out last.
    private(set) var offset = 0
    /// Whether the file ended before the array was closed, as a profiler leaves it that was killed.
    private(set) var isCutOff = false
    private let source: ProfileSource
    private var place = Place.beginning
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity = 256 << 10
    private var first = 0
    private var last = 0
    private var isAtEnd = false
    /// Offset in the file of `storage[0]`.
    private var base = 0

    /// The longest event or member that is read.
    static let longest = 16 << 20

    init(_ source: ProfileSource) {
        self.source = source
        storage = .allocate(capacity: capacity)
    }

    deinit { storage.deallocate() }

    /// The next piece, valid until the next call; nil at the end.
    func next() throws -> Piece? {
        while true {
            guard let byte = try skipSpace() else { return try ending() }
            switch place {
            case .beginning:
                if byte == 0xEF, try has(3) {
                    first += 3
                } else {
                    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { throw unexpected("a bracket") }
                    place = byte == UInt8(ascii: "{") ? .object : .events(inObject: false)
                    first += 1
                }
            case .object:
                if byte == UInt8(ascii: ",") {
                    first += 1
                } else if byte == UInt8(ascii: "}") {
                    first += 1
                    place = .end
                } else if let piece = try member() {
                    return piece
                }
            case .events(let inObject):
                if byte == UInt8(ascii: ",") {
                    first += 1
                } else if byte == UInt8(ascii: "]") {
                    first += 1
                    place = inObject ? .object : .end
                } else {
                    return .event(try value(keep: true))
                }
            case .end: throw unexpected("the end of the file")
            }
        }
    }

    private func ending() throws -> Piece? {
        switch place {
        case .end: return nil
        // The format allows an array that is never closed.
        case .events(inObject: false):
            isCutOff = true
            return nil
        default:
            throw source.error(
                offset: base + first, "the file ends before its closing bracket",
                "The profile is truncated. Export it again.")
        }
    }

    private func member() throws -> Piece? {
        guard storage[first] == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
        let name = try value(keep: true)
        let key = String(decoding: name.dropFirst().dropLast(), as: UTF8.self)
        guard try skipSpace() == UInt8(ascii: ":") else { throw unexpected("a colon") }
        first += 1
        guard let byte = try skipSpace() else { return try ending() }
        if key == "traceEvents", byte == UInt8(ascii: "[") {
            first += 1
            place = .events(inObject: true)
            return nil
        }
        let value = try value(keep: false)
        return value.isEmpty ? nil : .member(key: key, value: value)
    }

    /// Takes a value; of a longer one than allowed nothing is left if it need not be kept.
    private func value(keep: Bool) throws -> UnsafeBufferPointer<UInt8> {
        offset = base + first
        var end = 0
        var depth = 0
        var quoted = false
        var dropped = false
        while true {
            while first + end < last {
                let byte = storage[first + end]
                if quoted {
                    if byte == UInt8(ascii: "\\") {
                        if first + end + 1 >= last { break }
                        end += 1
                    } else if byte == UInt8(ascii: "\"") {
                        quoted = false
                        if depth == 0 { return take(end + 1, dropped) }
                    }
                } else {
                    switch byte {
                    case UInt8(ascii: "\""): quoted = true
                    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                    case UInt8(ascii: "}"), UInt8(ascii: "]"):
                        if depth == 0 { return try takeScalar(end, dropped) }
                        depth -= 1
                        if depth == 0 { return take(end + 1, dropped) }
                    case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
                        if depth == 0 { return try takeScalar(end, dropped) }
                    default: break
                    }
                }
                end += 1
            }
            if end > Self.longest {
                if keep {
                    throw source.error(
                        offset: offset, "an event is longer than \(Self.longest >> 20) MiB",
                        "The file is damaged or is not a profiler trace. Export it again.")
                }
                first += end
                end = 0
                dropped = true
            }
            guard try fill() else {
                throw source.error(
                    offset: offset, "the file ends inside the value that starts here",
                    "The profile is truncated. Export it again.")
            }
        }
    }

    private func takeScalar(_ length: Int, _ dropped: Bool) throws -> UnsafeBufferPointer<UInt8> {
        guard length > 0 || dropped else { throw unexpected("a value") }
        return take(length, dropped)
    }

    private func take(_ length: Int, _ dropped: Bool) -> UnsafeBufferPointer<UInt8> {
        let bytes = UnsafeBufferPointer(start: storage + first, count: dropped ? 0 : length)
        first += length
        return bytes
    }

    private func skipSpace() throws -> UInt8? {
        while true {
            while first < last {
                let byte = storage[first]
                if byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09 { return byte }
                first += 1
            }
            if try !fill() { return nil }
        }
    }

    private func has(_ count: Int) throws -> Bool {
        while last - first < count {
            if try !fill() { return false }
        }
        return true
    }

    private func fill() throws -> Bool {
        if isAtEnd { return false }
        let held = last - first
        if held * 2 > capacity {
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
            memcpy(larger, storage + first, held)
            storage.deallocate()
            storage = larger
            capacity *= 2
        } else if first > 0 {
            memmove(storage, storage + first, held)
        }
        base += first
        first = 0
        last = held
        let count = try source.read(UnsafeMutableRawBufferPointer(start: storage + held, count: capacity - held))
        last += count
        isAtEnd = count == 0
        return count > 0
    }

    private func unexpected(_ wanted: String) -> Problem {
        source.error(
            offset: base + first, "expected \(wanted)", "The file is damaged. Export the profile again.")
    }
}
