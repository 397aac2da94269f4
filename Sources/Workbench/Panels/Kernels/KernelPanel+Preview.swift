internal import Formatting
internal import Workspace

extension KernelPanel {
    package func preview(of reference: Reference) -> Preview.Work {
        let engine = engine
        return { _ in
            guard let number = reference.path.first else { return .unplaced }
            switch reference.kind {
            case .operation: return Self.preview(of: try engine.open(use: number))
            case .ownKernel: return Self.preview(of: try engine.open(ownKernel: number))
            default: return .shows("the launches of the profile")
            }
        }
    }

    private static func preview(of box: OpenKernelBox) -> Preview {
        let variants = Format.count(box.open.ladder.rungs.count, "variant")
        return .shows("\(variants), \(Format.count(box.open.history.count, "earlier run"))")
    }
}
