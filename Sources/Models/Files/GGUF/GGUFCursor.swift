internal import Tensors

/// Reads the header of a GGUF file forward, and never past its end.
struct GGUFCursor {
    let file: MappedFile
    private(set) var position = 0

    init(_ file: MappedFile) { self.file = file }

    var remaining: Int { file.count - position }

    mutating func number<Word: FixedWidthInteger & BitwiseCopyable>(
        _: Word.Type, _ what: @autoclosure () -> String
    ) throws(ModelError) -> Word {
        let start = position
        try skip(MemoryLayout<Word>.size, what())
        return Word(littleEndian: file.bytes.loadUnaligned(fromByteOffset: start, as: Word.self))
    }

    mutating func skip(_ count: Int, _ what: @autoclosure () -> String) throws(ModelError) {
        guard count >= 0, count <= remaining else {
            throw failure(
                "unexpected end of file in \(what())", remedy: "The file is truncated. Copy or download it again.")
        }
        position += count
    }

    /// A number of things of which each takes at least `width` bytes of what is left of the file.
    mutating func count(of width: Int, _ what: @autoclosure () -> String) throws(ModelError) -> Int {
        let place = position
        let count = try number(UInt64.self, what())
        guard count <= UInt64(remaining / width) else {
            throw ModelError(
                file.path, offset: place,
                problem: "\(what()) is \(count), which exceeds the rest of the file",
                remedy: Self.damaged)
        }
        return Int(count)
    }

    /// Where the bytes of a string lie.
    mutating func text(_ what: @autoclosure () -> String) throws(ModelError) -> Range<Int> {
        let count = try count(of: 1, "the length of \(what())")
        try skip(count, what())
        return position - count..<position
    }

    /// Passes over strings that follow each other: a vocabulary of a quarter of a million in a millisecond.
    mutating func skipTexts(_ count: Int, _ what: (Int) -> String) throws(ModelError) {
        let bytes = file.bytes
        for number in 0..<count {
            if bytes.count - position >= 8 {
                let length = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                if length <= UInt64(bytes.count - position - 8) {
                    position += 8 + Int(length)
                    continue
                }
            }
            _ = try text(what(number))
        }
    }

    func failure(_ problem: String, remedy: String = Self.damaged) -> ModelError {
        ModelError(file.path, offset: position, problem: problem, remedy: remedy)
    }

    static let damaged = "Download the file again, or convert the model again with a current converter."
}

extension MappedFile {
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
