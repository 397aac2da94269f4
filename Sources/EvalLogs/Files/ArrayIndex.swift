/// Where the elements of one array in a JSON file stand, found as far as they are asked for, without parsing them.
///
/// The array is at a path of keys from the top, `["results", "results"]`. Other members near the path are noted too, as
/// far as the file has been read: `eval`, `results.stats`.
struct ArrayIndex {
    let file: LogFile
    private let path: [[UInt8]]
    private let names: [String]
    private(set) var elements: [Range<Int>] = []
    private(set) var members: [String: Range<Int>] = [:]
    /// Whether the array has been found.
    private(set) var isInside = false
    /// Whether the array, and what follows it, has been looked at to the end.
    private(set) var isComplete = false
    /// What is wrong with the text; `nil` while nothing is.
    private(set) var problem: String?

    private var position = 0
    private var depth = 0
    /// How many keys of the path lead to the innermost container.
    private var matched = 0
    private var isInString = false
    private var isEscaped = false
    private var isKeyNext = false
    private var isKey = false
    private var key: [UInt8] = []
    /// Where the value began that is read at the level of the path; `nil` between values.
    private var valueStart: Int?
    private var isScalar = false

    init(_ file: LogFile, path: [String]) {
        self.file = file
        names = path
        self.path = path.map { Array($0.utf8) }
    }

    /// Looks until there are `count` elements; with `toEnd`, for all members too.
    mutating func find(_ count: Int, toEnd: Bool = false, isCancelled: () -> Bool) throws(EvalLogError) {
        let piece = 1 << 20
        var buffer: [UInt8] = []
        while !isComplete, problem == nil, toEnd || elements.count < count {
            if isCancelled() { throw EvalLogError(path: file.path, problem: "cancelled", isCancellation: true) }
            buffer = try file.bytes(position..<(position + piece))
            if buffer.isEmpty {
                if depth > 0 { problem = "the file ends inside an object or array" }
                isComplete = depth == 0
                return
            }
            let from = position
            buffer.withUnsafeBufferPointer { bytes in
                for (place, byte) in bytes.enumerated() { take(byte, at: from + place) }
            }
            position = from + buffer.count
        }
    }

    /// Looks again at a file that may have grown: a text that was cut goes on.
    mutating func goOn() {
        if problem != nil, position <= file.size { problem = nil }
    }

    private var isAtPath: Bool { depth == matched + 1 }

    @inline(__always)
    private mutating func take(_ byte: UInt8, at place: Int) {
        if isInString {
            takeInString(byte, at: place)
            return
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            isKey = false
            guard isAtPath, valueStart == nil else { return }
            if matched < path.count, isKeyNext {
                isKey = true
                key.removeAll(keepingCapacity: true)
            } else {
                valueStart = place
                isScalar = false
            }
        case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte, at: place)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close(at: place)
        case UInt8(ascii: ","):
            guard isAtPath else { return }
            if isScalar { end(at: place) }
            isKeyNext = matched < path.count
        case UInt8(ascii: ":"): if isAtPath { isKeyNext = false }
        case 0x20, 0x09, 0x0A, 0x0D: if isAtPath, isScalar { end(at: place) }
        default:
            if isAtPath, valueStart == nil {
                valueStart = place
                isScalar = true
            }
        }
    }

    @inline(__always)
    private mutating func takeInString(_ byte: UInt8, at place: Int) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            if !isKey, isAtPath { end(at: place + 1) }
            return
        }
        if isKey, key.count < 256 { key.append(byte) }
    }

    private mutating func open(_ byte: UInt8, at place: Int) {
        depth += 1
        if depth == 1 {
            isKeyNext = true
            if byte != UInt8(ascii: "{") { problem = "the file does not start with an object" }
            return
        }
        guard depth == matched + 2, valueStart == nil else { return }
        let isLast = matched + 1 == path.count
        if matched < path.count, key == path[matched], byte == UInt8(ascii: isLast ? "[" : "{"), !isInside {
            matched += 1
            isKeyNext = !isLast
            if isLast { isInside = true }
        } else {
            valueStart = place
            isScalar = false
        }
    }

    private mutating func close(at place: Int) {
        if isAtPath, isScalar { end(at: place) }
        depth -= 1
        if depth < 0 {
            problem = "the file has more closing than opening brackets"
        } else if depth == 0 {
            isComplete = true
        } else if depth == matched {
            matched -= 1
        } else if isAtPath, valueStart != nil {
            end(at: place + 1)
        }
    }

    /// Ends the value that is read at the level of the path.
    private mutating func end(at place: Int) {
        guard let start = valueStart else { return }
        valueStart = nil
        isScalar = false
        if matched == path.count {
            elements.append(start..<place)
        } else if members.count < 4096 {
            let prefix = names[..<matched].joined(separator: ".")
            members[(prefix.isEmpty ? "" : prefix + ".") + String(decoding: key, as: UTF8.self)] = start..<place
        }
    }

    /// Returns the bytes of a noted member; `nil` if it is missing or far too long.
    func bytes(ofMember name: String) throws(EvalLogError) -> [UInt8]? {
        guard let range = members[name], range.count <= LogJSON.most else { return nil }
        return try file.wholeBytes(range)
    }

    /// The bytes of an element that is known.
    func bytes(_ index: Int) throws(EvalLogError) -> [UInt8] {
        let range = elements[index]
        guard range.count <= LogJSON.most else {
            throw EvalLogError(
                path: file.path, place: "byte \(range.lowerBound)",
                problem: "the sample is \(range.count >> 20) MiB long, above the \(LogJSON.most >> 20) MiB limit"
            )
        }
        return try file.wholeBytes(range)
    }

    /// Members of the top as one object, those that are there.
    func head(_ wanted: [String]) throws(EvalLogError) -> [UInt8] {
        var text = Array("{".utf8)
        for name in wanted {
            guard let bytes = try bytes(ofMember: name) else { continue }
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            text += Array("\"\(name.split(separator: ".").last ?? "")\":".utf8) + bytes
        }
        return text + Array("}".utf8)
    }
}
