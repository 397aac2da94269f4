internal import Glibc

/// Turns the bytes of a file into a tensor: in place where they are what a tensor is made of, otherwise by a copy.
struct ElementDecoder {
    let stored: StoredTensor
    let file: String

    // MARK: In place

    /// A tensor that shares the file's memory; `nil` if bytes must be swapped, moved or widened first.
    func mapped(_ file: MappedFile) throws(TensorFileError) -> AnyTensor? {
        guard !stored.isBigEndian, let element = stored.element, stored.byteCount > 0 else { return nil }
        let bytes = try file.slice(stored.offset, stored.byteCount, what: stored.name)
        guard Int(bitPattern: bytes.baseAddress) % element.width == 0 else { return nil }
        switch element {
        case .float64: return .float64(try view(Double.self, bytes, file))
        case .float32: return .float32(try view(Float.self, bytes, file))
        case .float16: return .float16(try view(Float16.self, bytes, file))
        case .bfloat16: return .bfloat16(try view(BFloat16.self, bytes, file))
        case .int32: return .int32(try view(Int32.self, bytes, file))
        case .int8: return .int8(try view(Int8.self, bytes, file))
        // A byte other than 0 and 1 is not a Bool; NumPy reads it as true, and so does the copy.
        case .bool: return Self.areBools(bytes) ? .bool(try view(Bool.self, bytes, file)) : nil
        case .int64, .int16, .uint64, .uint32, .uint16, .uint8: return nil
        }
    }

    private func view<Scalar: TensorScalar>(
        _: Scalar.Type, _ bytes: UnsafeRawBufferPointer, _ owner: MappedFile
    ) throws(TensorFileError) -> Tensor<Scalar> {
        let elements = bytes.bindMemory(to: Scalar.self)
        let storage = TensorStorage(mapped: elements.baseAddress!, count: elements.count, owner: owner)
        return try tensor(storage)
    }

    static func areBools(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var union: UInt8 = 0
        for byte in bytes { union |= byte }
        return union <= 1
    }

    // MARK: Copied

    /// Fills a buffer with the next bytes of the data.
    typealias Source = (UnsafeMutableRawBufferPointer) throws(TensorFileError) -> Void

    /// A tensor of its own memory.
    func copied(_ read: Source) throws(TensorFileError) -> AnyTensor {
        switch stored.element {
        case .float64: .float64(try native(bits: UInt64.self, read))
        case .float32: .float32(try native(bits: UInt32.self, read))
        case .float16: .float16(try native(bits: UInt16.self, read))
        case .bfloat16: .bfloat16(try native(bits: UInt16.self, read))
        case .int32: .int32(try native(bits: UInt32.self, read))
        case .int8: .int8(try native(bits: UInt8.self, read))
        case .bool: .bool(try native(bits: UInt8.self, read))
        case .int64: .int32(try narrowed(Int64.self, read))
        case .int16: .int32(try narrowed(Int16.self, read))
        case .uint64: .int32(try narrowed(UInt64.self, read))
        case .uint32: .int32(try narrowed(UInt32.self, read))
        case .uint16: .int32(try narrowed(UInt16.self, read))
        case .uint8: .int32(try narrowed(UInt8.self, read))
        case nil:
            throw TensorFileError(
                file: file, offset: stored.offset, problem: .elementType(stored.spelling, of: stored.name))
        }
    }

    /// Bytes straight into the tensor's memory, then swapped there if they must be.
    private func native<Scalar: TensorScalar, Bits: FixedWidthInteger & BitwiseCopyable>(
        bits: Bits.Type, _ read: Source
    ) throws(TensorFileError) -> Tensor<Scalar> {
        let storage = try storage(Scalar.self)
        let bytes = UnsafeMutableRawBufferPointer(start: storage.pointer, count: stored.byteCount)
        try read(bytes)
        let patterns = bytes.bindMemory(to: Bits.self)
        if stored.isBigEndian, Bits.bitWidth > 8 {
            for index in patterns.indices { patterns[index] = patterns[index].byteSwapped }
        }
        if stored.element == .bool {
            for index in patterns.indices { patterns[index] = patterns[index] == 0 ? 0 : 1 }
        }
        _ = bytes.bindMemory(to: Scalar.self)
        return try tensor(storage)
    }

    /// Integers of another kind, by way of a block that stays in the first cache.
    private func narrowed<Wide: FixedWidthInteger & BitwiseCopyable>(
        _: Wide.Type, _ read: Source
    ) throws(TensorFileError) -> Tensor<Int32> {
        let storage = try storage(Int32.self)
        let block = 4_096
        let chunk = UnsafeMutableBufferPointer<Wide>.allocate(capacity: block)
        defer { chunk.deallocate() }
        var start = 0
        while start < storage.count {
            let part = UnsafeMutableBufferPointer(rebasing: chunk[..<min(block, storage.count - start)])
            try read(UnsafeMutableRawBufferPointer(part))
            for index in part.indices {
                let value = stored.isBigEndian ? Wide(bigEndian: part[index]) : Wide(littleEndian: part[index])
                guard let fitting = Int32(exactly: value) else {
                    throw TensorFileError(
                        file: file, offset: stored.offset + (start + index) * MemoryLayout<Wide>.size,
                        problem: .value(Int128(value), kind: stored.spelling))
                }
                storage.pointer[start + index] = fitting
            }
            start += part.count
        }
        return try tensor(storage)
    }

    // MARK: Storage

    private func storage<Scalar: TensorScalar>(_: Scalar.Type) throws(TensorFileError) -> TensorStorage<Scalar> {
        let count = StoredTensor.elements(stored.shape) ?? .max
        do {
            return try TensorStorage(count: count, for: "read")
        } catch {
            let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Scalar>.stride)
            throw TensorFileError(file: file, problem: .memory(bytes: overflow ? .max : bytes))
        }
    }

    /// The shape laid over memory in the file's order.
    private func tensor<Scalar: TensorScalar>(
        _ storage: TensorStorage<Scalar>
    ) throws(TensorFileError) -> Tensor<Scalar> {
        var strides = Shape.strides(stored.shape)
        if stored.isColumnMajor { strides = Shape.strides(Array(stored.shape.reversed())).reversed() }
        do {
            return try Tensor(storage: storage, shape: stored.shape, strides: strides, offset: 0)
        } catch {
            throw TensorFileError(
                file: file, offset: stored.offset,
                problem: .limit(
                    "\(stored.name) with shape \(stored.shape) is too large"))
        }
    }
}
