/// Every operation, in the order in which a person would learn them. A new one is one line here.
public enum KernelCatalog {
    public static let operations: [KernelOperation] = [
        .gemmFloat32,
        .gemmFloat64,
        .gemmBF16,
        .gemmInt8,
        .linearFloat32,
        .matvecF16,
        .matvecBF16,
        .matvecQ8_0,
        .matvecQ4_0,
        .matvecQ4_K,
        .matvecQ5_K,
        .matvecQ6_K,
        .prefillF16,
        .prefillQ8_0,
        .prefillQ4_0,
        .prefillQ4_K,
        .softmax,
        .layerNorm,
        .rmsNorm,
        .attention,
        .attentionBackward,
    ]

    /// - Throws: `KernelError.unknownOperation` with the names that exist.
    public static func operation(_ name: String) throws(KernelError) -> KernelOperation {
        guard let found = operations.first(where: { $0.name == name }) else {
            throw .unknownOperation(name, known: operations.map(\.name))
        }
        return found
    }
}
