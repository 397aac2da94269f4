internal import Bytes
internal import Glibc
internal import Tensors

/// Vectors in a file of a common format, read row by row from where they lie.
///
/// Files are `.fvecs`, `.bvecs` and `.ivecs` (each row an int32 dimension and its numbers), `.npy` with two axes, and
/// DiskANN's `.bin` (two int32, rows and dimension; numbers). A `.bin` does not record its number type: `.fbin`,
/// `.u8bin`, and `.i8bin` give it in the suffix; for `.bin`, the file size distinguishes floats from bytes.
///
/// ```swift
/// let file = try VectorFile(contentsOf: "sift_base.fvecs")
/// let rows = try file.rows(metric: .l2)                 // labels 0, 1, ...
/// ```
public final class VectorFile: Sendable {
    public enum Format: String, CaseIterable, Sendable {
        case fvecs, bvecs, ivecs, npy, diskANN = "bin"
    }

    public let format: Format
    public let count: Int
    public let dimension: Int
    /// Number type of the file.
    public let element: Element
    private let file: MappedFile
    /// Bytes before the first row.
    private let start: Int
    /// Bytes of a row before its numbers.
    private let headBytes: Int

    public enum Element: String, Sendable {
        case float32, float64, float16, int8, uint8, int32

        var byteCount: Int {
            switch self {
            case .int8, .uint8: 1
            case .float16: 2
            case .float32, .int32: 4
            case .float64: 8
            }
        }
    }

    /// - Parameter path: A file whose name ends as its format says.
    /// - Throws: `SegmentError` for files that are not what their name says.
    public convenience init(contentsOf path: String) throws(SegmentError) {
        let file: MappedFile
        do { file = try MappedFile(path) } catch {
            throw SegmentError(path, problem: "cannot be read: \(error)", remedy: "Check the path.")
        }
        try self.init(file)
    }

    /// A file that is in memory; the caller keeps it there.
    package convenience init(bytes: UnsafeRawBufferPointer, named path: String) throws(SegmentError) {
        try self.init(MappedFile(memory: bytes, named: path))
    }

    private init(_ file: MappedFile) throws(SegmentError) {
        self.file = file
        let suffix = file.path.split(separator: ".").last?.lowercased() ?? ""
        let bytes = SegmentReader(file.bytes, file.path)
        switch suffix {
        case "fvecs", "bvecs", "ivecs":
            element = suffix == "fvecs" ? .float32 : suffix == "bvecs" ? .uint8 : .int32
            format = Format(rawValue: suffix) ?? .fvecs
            (start, headBytes) = (0, 4)
            (count, dimension) = try Self.rowsWithHeads(bytes, element)
        case "npy":
            format = .npy
            headBytes = 0
            (start, count, dimension, element) = try Self.array(file)
        case "bin", "fbin", "u8bin", "i8bin":
            format = .diskANN
            (start, headBytes) = (8, 0)
            (count, dimension, element) = try Self.block(bytes, suffix)
        default:
            throw SegmentError(
                file.path, problem: "unknown file name extension",
                remedy: "Use .fvecs, .bvecs, .ivecs, .npy, .bin, .fbin, .u8bin, or .i8bin.")
        }
    }

    private static func rowsWithHeads(_ bytes: SegmentReader, _ element: Element) throws(SegmentError) -> (Int, Int) {
        guard bytes.remaining > 0 else { return (0, 1) }
        var reader = bytes
        let dimension = try Self.dimension(reader.read(Int32.self), reader)
        let row = 4 + dimension * element.byteCount
        guard bytes.remaining % row == 0 else {
            throw reader.broken("\(bytes.remaining) bytes are not a whole number of rows of \(dimension) numbers")
        }
        return (bytes.remaining / row, dimension)
    }

    private static func block(_ bytes: SegmentReader, _ suffix: String) throws(SegmentError) -> (Int, Int, Element) {
        var reader = bytes
        let count = Int(try reader.read(UInt32.self))
        let dimension = try Self.dimension(reader.read(Int32.self), reader)
        let (numbers, overflow) = count.multipliedReportingOverflow(by: dimension)
        let named: [String: Element] = ["fbin": .float32, "u8bin": .uint8, "i8bin": .int8]
        let guessed: Element = !overflow && reader.remaining == numbers ? .uint8 : .float32
        let element = named[suffix] ?? guessed
        guard !overflow, reader.remaining / element.byteCount == numbers, reader.remaining % element.byteCount == 0
        else {
            throw reader.broken("\(count) rows of \(dimension) numbers do not match \(reader.remaining) bytes")
        }
        return (count, dimension, element)
    }

    private static func array(_ file: MappedFile) throws(SegmentError) -> (Int, Int, Int, Element) {
        func problem(_ text: String) -> SegmentError {
            SegmentError(file.path, problem: text, remedy: "Save it with numpy.save as rows of numbers.")
        }
        let entry: TensorFile.Entry
        do {
            let array = try TensorFile.open(file)
            guard array.format == .npy, let name = array.names.first else { throw problem("not a .npy array") }
            entry = try array.entry(name)
        } catch let error as SegmentError { throw error } catch { throw problem("not a .npy array: \(error)") }
        let kinds: [String: Element] = [
            "<f4": .float32, "<f2": .float16, "<f8": .float64, "|i1": .int8, "|u1": .uint8, "<i4": .int32,
        ]
        guard let element = kinds[entry.spelling] else { throw problem("unsupported number type \(entry.spelling)") }
        guard entry.shape.count == 2, (1...VectorRows.maximumDimension).contains(entry.shape[1]) else {
            throw problem("the shape is \(entry.shape), not [rows, dimension]")
        }
        let length =
            file.bytes[6] == 1
            ? 10 + Int(file.bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
            : 12 + Int(file.bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        let (size, overflow) = entry.shape[0].multipliedReportingOverflow(by: entry.shape[1] * element.byteCount)
        guard !overflow, length <= file.count, size <= file.count - length else {
            throw problem("the file is truncated")
        }
        let header = String(decoding: file.bytes[..<length], as: UTF8.self)
        // One row or one column lies the same either way.
        guard !header.contains("'fortran_order': True") || entry.shape.contains(1) else {
            throw problem("the array is in column order: convert it with numpy.ascontiguousarray")
        }
        return (length, entry.shape[0], entry.shape[1], element)
    }

    private static func dimension(_ number: Int32, _ reader: SegmentReader) throws(SegmentError) -> Int {
        guard (1...VectorRows.maximumDimension).contains(Int(number)) else {
            throw reader.broken("a row length of \(number) is out of range")
        }
        return Int(number)
    }

    /// Reads a row as floats.
    ///
    /// - Parameter vector: `[dimension]`.
    /// - Throws: `SegmentError` for a row that says another dimension.
    public func read(_ row: Int, into vector: UnsafeMutablePointer<Float>) throws(SegmentError) {
        guard row >= 0, row < count else {
            throw SegmentError(file.path, problem: "row \(row) is out of range for \(count) rows", remedy: "")
        }
        let bytes = file.bytes
        var offset = start + row * (headBytes + dimension * element.byteCount)
        if headBytes > 0 {
            let said = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
            guard said == Int32(dimension) else {
                throw SegmentError(
                    "\(file.path), row \(row)", problem: "expected \(dimension) numbers, found \(said)",
                    remedy: "All rows must have the same length.")
            }
            offset += headBytes
        }
        for column in 0..<dimension {
            let at = offset + column * element.byteCount
            switch element {
            case .float32: vector[column] = bytes.loadUnaligned(fromByteOffset: at, as: Float.self)
            case .float64: vector[column] = Float(bytes.loadUnaligned(fromByteOffset: at, as: Double.self))
            case .float16:
                vector[column] =
                    Float16(
                        bitPattern: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self)
                    ).widened
            case .int8: vector[column] = Float(bytes.loadUnaligned(fromByteOffset: at, as: Int8.self))
            case .uint8: vector[column] = Float(bytes[at])
            case .int32: vector[column] = Float(bytes.loadUnaligned(fromByteOffset: at, as: Int32.self))
            }
        }
    }

    /// Returns all rows, under labels from `firstLabel` on.
    public func rows(metric: Metric, firstLabel: Int64 = 0) throws(SegmentError) -> VectorRows {
        let rows = try VectorRows(dimension: dimension, metric: metric)
        var vector = [Float](repeating: 0, count: dimension)
        for row in 0..<count {
            try read(row, into: &vector)
            try rows.append(vector, label: firstLabel + Int64(row))
        }
        return rows
    }
}

extension SegmentReader {
    /// Returns an error for a malformed file of another program.
    func broken(_ problem: String) -> SegmentError {
        SegmentError("\(place), byte \(offset)", problem: problem, remedy: "Write the file again.")
    }
}
