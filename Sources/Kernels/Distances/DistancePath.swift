/// The instructions that distance kernels use.
package enum DistancePath: String, CaseIterable, Sendable {
    case portable, avx2, avx512

    /// The widest that this processor has.
    package static let best: DistancePath = allCases.last { $0.isPresent } ?? .portable

    package var needs: ProcessorFeatures {
        switch self {
        case .portable: []
        case .avx2: .avx2
        case .avx512: [.avx512, .vnni]
        }
    }

    package var isPresent: Bool { needs.isSubset(of: .present) }
}
