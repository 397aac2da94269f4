extension TensorFile {
    /// Writes one tensor as .npy, byte by byte as `numpy.save` writes an array of C order.
    ///
    /// The file appears whole or not at all. bfloat16 is written as ml_dtypes does: as two bytes without a meaning.
    public static func write(_ tensor: AnyTensor, to path: String) throws(TensorFileError) {
        guard try Format(suffixOf: path) == .npy else {
            throw TensorFileError(file: path, problem: .unwritable("only .npy can store a tensor without a name"))
        }
        let file = try AtomicFile(path)
        try NPYArchive.write(tensor, to: path) { (bytes) throws(TensorFileError) in try file.write(bytes) }
        try file.commit()
    }

    /// Writes named tensors as .npz or .safetensors, by the suffix of the path.
    ///
    /// The file appears whole or not at all. A .npz is byte by byte what `numpy.savez` writes; safetensors what the
    /// reference implementation writes: kinds of wide elements first, then by name. Two texts of metadata or more,
    /// whose order there is random, are sorted by name.
    ///
    /// - Parameters:
    ///   - metadata: texts that only safetensors can keep.
    ///   - compressing: packs the members of a .npz with deflate, as `numpy.savez_compressed` does.
    public static func write(
        _ tensors: [(name: String, tensor: AnyTensor)], metadata: [String: String] = [:], compressing: Bool = false,
        to path: String
    ) throws(TensorFileError) {
        func refuse(_ problem: String) -> TensorFileError {
            TensorFileError(file: path, problem: .unwritable(problem))
        }
        var names: Set<String> = []
        for (name, _) in tensors where !names.insert(name).inserted {
            throw refuse("duplicate tensor name \(name)")
        }
        let format = try Format(suffixOf: path)
        guard format == .safetensors || metadata.isEmpty else {
            throw refuse(
                "\(format.rawValue) does not support metadata")
        }
        guard format == .npz || !compressing else { throw refuse("\(format.rawValue) does not support compression") }
        switch format {
        case .npy: throw refuse(".npy stores exactly one tensor, without a name")
        case .npz: try NPZArchive.write(tensors, compressing: compressing, to: path)
        case .safetensors: try SafetensorsArchive.write(tensors, metadata: metadata, to: path)
        }
    }
}

extension AnyTensor {
    /// Hands the elements to `body` as the bytes of a file: contiguous, little-endian.
    func withBytes(
        for path: String, _ body: (UnsafeRawBufferPointer) throws(TensorFileError) -> Void
    ) throws(TensorFileError) {
        switch self {
        case .float32(let tensor): try tensor.withBytes(for: path, body)
        case .float64(let tensor): try tensor.withBytes(for: path, body)
        case .float16(let tensor): try tensor.withBytes(for: path, body)
        case .bfloat16(let tensor): try tensor.withBytes(for: path, body)
        case .int8(let tensor): try tensor.withBytes(for: path, body)
        case .int32(let tensor): try tensor.withBytes(for: path, body)
        case .bool(let tensor): try tensor.withBytes(for: path, body)
        }
    }

    /// Bytes of all elements.
    var byteCount: Int { count * dataType.byteCount }
}

extension Tensor {
    fileprivate func withBytes(
        for path: String, _ body: (UnsafeRawBufferPointer) throws(TensorFileError) -> Void
    ) throws(TensorFileError) {
        let dense: Tensor
        do {
            dense = try contiguous()
        } catch {
            throw TensorFileError(file: path, problem: .memory(bytes: count * MemoryLayout<Scalar>.stride))
        }
        defer { withExtendedLifetime(dense) {} }
        try body(UnsafeRawBufferPointer(start: dense.base, count: count * MemoryLayout<Scalar>.stride))
    }
}
