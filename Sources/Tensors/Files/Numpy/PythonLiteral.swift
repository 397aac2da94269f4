/// Reads the one kind of Python text that an .npy header is: a dictionary of strings, truth values and tuples of
/// integers. Nothing is evaluated, nothing nests, and every loop ends with the text.
struct PythonLiteral {
    /// What the text breaks, and where.
    struct Failure: Error {
        var offset: Int
        var problem: String
    }

    private let text: UnsafeRawBufferPointer
    private var position = 0

    /// Axes that NumPy allows an array to have.
    static let maximumRank = 64
    /// Far above any name of a kind of element.
    private static let maximumString = 256

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// The header's three members; a fourth, a second of the same name, or a missing one is a failure.
    static func header(
        _ text: UnsafeRawBufferPointer
    ) throws(Failure) -> (description: String, isColumnMajor: Bool, shape: [Int]) {
        var reader = PythonLiteral(text)
        var description: String?
        var order: Bool?
        var shape: [Int]?
        try reader.expect("{", "the header is not a dictionary")
        while !reader.take("}") {
            let start = reader.position
            let key = try reader.string()
            try reader.expect(":", "expected a colon after the key \(key)")
            switch key {
            case "descr" where description == nil: description = try reader.description()
            case "fortran_order" where order == nil: order = try reader.truth()
            case "shape" where shape == nil: shape = try reader.tuple()
            default: throw Failure(offset: start, problem: "the header has an unknown or duplicate key \(key)")
            }
            if reader.take(",") { continue }
            try reader.expect("}", "expected a comma or a closing brace")
            break
        }
        reader.skipSpace()
        guard reader.position == text.count else {
            throw Failure(offset: reader.position, problem: "unexpected text after the header's dictionary")
        }
        guard let description, let order, let shape else {
            let missing = description == nil ? "element type (descr)" : order == nil ? "fortran_order" : "shape"
            throw Failure(offset: 0, problem: "the header has no \(missing)")
        }
        return (description, order, shape)
    }

    private var current: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    /// Whether the next character is that one; then it is behind us.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar, _ problem: String) throws(Failure) {
        guard take(character) else { throw Failure(offset: position, problem: problem) }
    }

    /// The kind of element; a list of fields is a record, which no tensor is.
    private mutating func description() throws(Failure) -> String {
        skipSpace()
        if current == UInt8(ascii: "[") {
            throw Failure(offset: position, problem: "elements with fields are unsupported")
        }
        return try string()
    }

    /// Text in single or double quotes, without escapes: no key and no kind needs any.
    private mutating func string() throws(Failure) -> String {
        skipSpace()
        let start = position
        guard let quote = current, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
            throw Failure(offset: position, problem: "expected a string in quotes")
        }
        position += 1
        while let byte = current, byte != quote {
            guard byte >= 0x20, byte != UInt8(ascii: "\\"), position - start <= Self.maximumString else {
                throw Failure(offset: position, problem: "a string is too long or has an escape")
            }
            position += 1
        }
        guard current == quote else {
            throw Failure(offset: start, problem: "unterminated string")
        }
        position += 1
        return String(decoding: text[(start + 1)..<(position - 1)], as: UTF8.self)
    }

    private mutating func truth() throws(Failure) -> Bool {
        skipSpace()
        for (word, value) in [("True", true), ("False", false)] {
            let end = position + word.utf8.count
            if end <= text.count, text[position..<end].elementsEqual(word.utf8) {
                position = end
                return value
            }
        }
        throw Failure(offset: position, problem: "expected True or False")
    }

    /// `()`, `(3,)`, `(2, 3)`; `(3)` is not a tuple in Python, and not here.
    private mutating func tuple() throws(Failure) -> [Int] {
        try expect("(", "the shape must be a tuple")
        var sizes: [Int] = []
        while !take(")") {
            guard sizes.count < Self.maximumRank else {
                throw Failure(offset: position, problem: "the shape has more than \(Self.maximumRank) axes")
            }
            sizes.append(try size())
            if take(",") { continue }
            guard sizes.count > 1 else {
                throw Failure(offset: position, problem: "a shape with one axis needs a comma")
            }
            try expect(")", "expected a comma or a closing parenthesis")
            break
        }
        return sizes
    }

    /// Decimal digits; Python 2 wrote an L after some.
    private mutating func size() throws(Failure) -> Int {
        skipSpace()
        let start = position
        var value = 0
        while let byte = current, byte >= 0x30, byte <= 0x39 {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, carry) = tens.addingReportingOverflow(Int(byte) - 0x30)
            guard !overflow, !carry else { throw Failure(offset: start, problem: "a size is too large for memory") }
            value = next
            position += 1
        }
        guard position > start else { throw Failure(offset: start, problem: "expected a size") }
        if current == UInt8(ascii: "L") { position += 1 }
        return value
    }
}
