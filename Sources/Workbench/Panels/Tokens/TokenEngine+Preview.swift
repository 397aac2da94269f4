internal import Formatting
internal import LanguageModels
internal import ModelLab
internal import Traces
internal import Workspace

extension TokenEngine {
    /// Returns a summary of what the page shows of an object.
    ///
    /// - Throws: The error of opening the object, if the page has nothing to show.
    func preview(of reference: Reference) throws -> Preview {
        guard let number = reference.path.first else { return .unplaced }
        switch reference.kind {
        case .session:
            let answers = try open(session: number).answers
            return .shows(Format.count(answers.count, "generation"))
        case .generation, .token: return Self.preview(of: try answer(number).steps)
        case .span where reference.path.count > 1:
            let call = try RecordedCall(
                trace: number, span: Int(clamping: reference.path[1]), in: TraceStore(workspace))
            return Self.preview(of: call.steps)
        default: return .nothing("only model calls have tokens")
        }
    }

    private static func preview(of steps: [TokenStep]) -> Preview {
        let hasProbabilities = steps.contains { $0.logProbability != nil }
        guard hasProbabilities || steps.contains(where: { $0.id != nil }) else {
            return .shows("prompt and generation as text; tokens not reported")
        }
        let tokens = Format.count(steps.count, "output token")
        return .shows(hasProbabilities ? "\(tokens) with probabilities" : "\(tokens), probabilities not reported")
    }
}
