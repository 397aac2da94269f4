/// The instructions that a kernel of sparse features uses.
public enum SparseFeaturePath: String, CaseIterable, Sendable {
    case portable, avx512

    public static let best: SparseFeaturePath = allCases.last { $0.isPresent } ?? .portable

    public var isPresent: Bool { self == .portable || ProcessorFeatures.present.contains(.avx512) }
}
