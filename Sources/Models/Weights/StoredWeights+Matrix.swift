package import Kernels
internal import Tensors

extension StoredWeights {
    /// The weights as a matrix, in place wherever the file's bytes are what a product reads.
    ///
    /// - Parameters:
    ///   - part: Index among the equal parts of the outermost axis: one expert.
    ///   - name: what the caller calls it.
    package func matrix(
        _ name: String, part: Int = 0, rows: Int, columns: Int
    ) throws(ModelError) -> WeightMatrix {
        guard let format else {
            throw failure(
                "\(name) is \(spelling), which is not supported",
                remedy: "Use a model in F32, F16, BF16, Q8_0, Q4_0, Q4_K, Q5_K, Q6_K, NF4, or INT8.")
        }
        guard format.byteCount(rows * columns).map({ $0 * (part + 1) <= byteCount }) == true,
            columns % format.blockSize == 0
        else { throw failure("\(name) is too short for its shape", remedy: "Copy or download the file again.") }
        let size = rows * columns / format.blockSize * format.bytesPerBlock
        let bytes = UnsafeRawBufferPointer(rebasing: try self.bytes()[part * size..<(part + 1) * size])
        if conversion == .transposed { return try transposed(name, bytes, format, rows: rows, columns: columns) }
        if let scales {
            let scales = try scales.decoded()
            let owner = WeightOwner(file, scales)
            return try make(name, format, rows, columns, bytes, scales: scales.pointer, owner: owner)
        }
        let alignment = format == .f32 ? 4 : 2
        guard format.bytesPerBlock > 1, Int(bitPattern: bytes.baseAddress) % alignment != 0 else {
            return try make(name, format, rows, columns, bytes, owner: file)
        }
        // Only files whose alignment is below that of their numbers come here.
        let copy = try AlignedBuffer<UInt8>.orModelError(bytes.count, file.path)
        UnsafeMutableRawBufferPointer(copy.elements).copyMemory(from: bytes)
        return try make(name, format, rows, columns, UnsafeRawBufferPointer(copy.elements), owner: copy)
    }

    private func make(
        _ name: String, _ format: WeightFormat, _ rows: Int, _ columns: Int, _ bytes: UnsafeRawBufferPointer,
        scales: UnsafePointer<Float>? = nil, owner: AnyObject
    ) throws(ModelError) -> WeightMatrix {
        do {
            return try WeightMatrix(
                format, rows: rows, columns: columns, bytes: bytes, scales: scales, owner: owner)
        } catch {
            throw failure("\(name) is not a valid weight matrix: \(error)", remedy: "Quantize the model again.")
        }
    }

    /// W[rows, columns] from bytes that hold `[columns, rows]`.
    private func transposed(
        _ name: String, _ bytes: UnsafeRawBufferPointer, _ format: WeightFormat, rows: Int, columns: Int
    ) throws(ModelError) -> WeightMatrix {
        let copy = try AlignedBuffer<UInt8>.orModelError(bytes.count, file.path)
        switch format {
        case .f32: Self.transpose(UInt32.self, bytes, into: copy.pointer, rows: rows, columns: columns)
        case .f16, .bf16: Self.transpose(UInt16.self, bytes, into: copy.pointer, rows: rows, columns: columns)
        default:
            throw failure(
                "\(name) is a transposed \(spelling) matrix, which is not supported",
                remedy: "Use the model in F32, F16, or BF16.")
        }
        return try make(name, format, rows, columns, UnsafeRawBufferPointer(copy.elements), owner: copy)
    }

    /// In squares that stay in the first cache.
    private static func transpose<Word: FixedWidthInteger & BitwiseCopyable>(
        _: Word.Type, _ source: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>, rows: Int,
        columns: Int
    ) {
        let width = MemoryLayout<Word>.size
        let target = UnsafeMutableRawPointer(target)
        let side = 32
        for firstColumn in stride(from: 0, to: columns, by: side) {
            for firstRow in stride(from: 0, to: rows, by: side) {
                for row in firstRow..<min(firstRow + side, rows) {
                    for column in firstColumn..<min(firstColumn + side, columns) {
                        let word = source.loadUnaligned(fromByteOffset: (column * rows + row) * width, as: Word.self)
                        target.storeBytes(of: word, toByteOffset: (row * columns + column) * width, as: Word.self)
                    }
                }
            }
        }
    }

    /// The numbers as float32.
    func floats(_ name: String) throws(ModelError) -> [Float] {
        let bytes = try self.bytes()
        let count = elementCount
        var values = [Float](repeating: 0, count: count)
        switch format {
        case .f32:
            values.withUnsafeMutableBytes {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<(4 * count)]))
            }
        case .f16, .bf16:
            for index in 0..<count {
                let word = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
                values[index] =
                    format == .f16 ? Float(Float16(bitPattern: word)) : Float(bitPattern: UInt32(word) << 16)
            }
        default:
            guard count > 0 else { return values }
            let matrix = try matrix(name, rows: 1, columns: count)
            values.withUnsafeMutableBufferPointer { matrix.decode(row: 0, into: $0.baseAddress!) }
        }
        if conversion == .plusOne { for index in values.indices { values[index] += 1 } }
        return values
    }
}

/// Keeps the file and the scales of a matrix for as long as it lives.
private final class WeightOwner: Sendable {
    let file: MappedFile
    let scales: AlignedBuffer<Float>

    init(_ file: MappedFile, _ scales: AlignedBuffer<Float>) {
        self.file = file
        self.scales = scales
    }
}
