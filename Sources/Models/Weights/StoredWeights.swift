internal import Glibc
package import Kernels
package import Tensors

/// One tensor where a file holds it: what the header of every format comes down to.
package struct StoredWeights: Sendable {
    /// What must be done to the numbers before they are what GGUF files hold under the name.
    package enum Conversion: Hashable, Sendable {
        case none
        /// `[in, out]` instead of `[out, in]`: GPT-2.
        case transposed
        /// w instead of 1 + w: the norms of Gemma.
        case plusOne
    }

    /// The file's own name for it.
    package var name: String
    /// The file's own name for its type.
    package var spelling: String
    /// nil for a type that cannot be multiplied.
    package var format: WeightFormat?
    /// Outermost first.
    package var shape: [Int]
    package var file: MappedFile
    /// The first byte, from the start of the file.
    package var offset: Int
    package var byteCount: Int
    package var conversion = Conversion.none
    /// Of formats that keep their scales apart.
    package var scales: SeparateScales?

    package var elementCount: Int { shape.reduce(1, *) }

    /// With the scales that lie apart.
    package var storedByteCount: Int {
        let nested = scales?.nested.map { $0.map.byteCount + $0.absmax.byteCount } ?? 0
        return byteCount + (scales?.values.byteCount ?? 0) + nested
    }

    /// The shape under the name of GGUF.
    package var logicalShape: [Int] { conversion == .transposed ? shape.reversed() : shape }

    /// The bytes, after a look at whether the file still holds them.
    package func bytes() throws(ModelError) -> UnsafeRawBufferPointer {
        do {
            try file.checkSize()
            return try file.slice(offset, byteCount, what: name)
        } catch {
            throw ModelError(error)
        }
    }

    /// Gives back the memory of the map; what is touched again is read again.
    func forget() {
        guard let bytes = try? self.bytes(), let start = bytes.baseAddress else { return }
        let page = Int(getpagesize())
        let first = (Int(bitPattern: start) + page - 1) / page * page
        let end = (Int(bitPattern: start) + bytes.count) / page * page
        if end > first { madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_DONTNEED) }
    }

    func failure(_ problem: String, remedy: String) -> ModelError {
        ModelError(file.path, offset: offset, problem: problem, remedy: remedy)
    }
}

/// The scales of a tensor that lie apart from it, as bitsandbytes writes them.
package struct SeparateScales: Sendable {
    /// float32 of each block or row; or the bytes of `nested`.
    package var values: MappedWeights
    package var nested: Nested?

    /// Scales that are themselves quantized: scale[i] = map[byte i] · absmax[i / blockSize] + offset
    /// (double quantization, Dettmers et al. 2023, §3).
    package struct Nested: Sendable {
        package var map: MappedWeights
        package var absmax: MappedWeights
        package var blockSize: Int
        package var offset: Float
    }

    /// Bytes of a file.
    package struct MappedWeights: Sendable {
        package var file: MappedFile
        package var offset: Int
        package var byteCount: Int

        func bytes() throws(ModelError) -> UnsafeRawBufferPointer {
            do {
                return try file.slice(offset, byteCount, what: "the scales")
            } catch {
                throw ModelError(error)
            }
        }
    }

    /// All of them as float32.
    func decoded() throws(ModelError) -> AlignedBuffer<Float> {
        let bytes = try values.bytes()
        guard let nested else {
            let scales = try AlignedBuffer<Float>.orModelError(bytes.count / 4, values.file.path)
            UnsafeMutableRawBufferPointer(scales.elements).copyMemory(from: bytes)
            return scales
        }
        let scales = try AlignedBuffer<Float>.orModelError(bytes.count, values.file.path)
        let map = try nested.map.bytes()
        let absmax = try nested.absmax.bytes()
        for index in 0..<bytes.count {
            let entry = map.loadUnaligned(fromByteOffset: 4 * Int(bytes[index]), as: Float.self)
            let scale = absmax.loadUnaligned(fromByteOffset: 4 * (index / nested.blockSize), as: Float.self)
            scales.pointer[index] = entry * scale + nested.offset
        }
        return scales
    }
}

extension AlignedBuffer {
    /// Memory, or a sentence of this module.
    static func orModelError(_ count: Int, _ subject: String) throws(ModelError) -> AlignedBuffer {
        do {
            return try AlignedBuffer(count: count)
        } catch {
            throw ModelError(
                subject, problem: "not enough memory for \(count * MemoryLayout<Element>.stride) bytes",
                remedy: "Close other programs, or use a smaller model.")
        }
    }
}
