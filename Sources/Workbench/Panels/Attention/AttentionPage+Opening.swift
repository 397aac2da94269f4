internal import Console

extension AttentionPage {
    package mutating func open(_ reference: Reference) -> Work<Self>? {
        // The page keeps its state for users who come back.
        if order.origin != nil, reference == selection { return [] }
        if reference.kind == .attentionHead { return showHead(reference.path) }
        guard let find = Self.finding(reference) else { return nil }
        isOpening = true
        return read("find", find) { page, order in
            page.isOpening = false
            page.screen.focus = .tokens
            let told: Work<Self> = order.remark.map { .notify($0) } ?? []
            return told + page.start(order)
        } failed: { page, _ in
            page.isOpening = false
            return []
        }
    }

    private mutating func showHead(_ path: [Int64]) -> Work<Self>? {
        guard let run, path.count > 1 else { return nil }
        select(layer: Int(clamping: path[0]), head: Int(clamping: path[1]))
        if path.count > 2 {
            tokens.moveCursor(to: min(Int(clamping: path[2]), run.tokens.count - 1))
            screen.focus = .head
        }
        return []
    }

    package func preview(of reference: Reference) -> Preview.Work {
        let found: Preview = run == nil ? .nothing("no text is open") : .shows("the head on the open text")
        return { [engine = engine] _ in reference.kind == .attentionHead ? found : try engine.preview(of: reference) }
    }

    /// Returns the read that finds the text of an object; `nil` if the page cannot show the object.
    private static func finding(
        _ reference: Reference
    ) -> (@Sendable (any AttentionEngine) throws -> AttentionOrder)? {
        let path = reference.path
        guard let number = path.first else { return nil }
        let places = path.dropFirst().map { Int(clamping: $0) }
        let origin: Reference
        let find: @Sendable (any AttentionEngine) throws -> AttentionOrder
        switch reference.kind {
        case .token, .generation:
            origin = Reference(.generation, [number], title: "answer \(number)")
            find = { try $0.order(answer: number, step: reference.kind == .token ? places.first : nil) }
        case .span:
            guard let span = places.first else { return nil }
            origin = Reference(.span, [number, Int64(span)], title: reference.title)
            find = { try $0.order(trace: number, span: span, step: places.dropFirst().first) }
        case .citation:
            guard let citation = CitedPassage(reference) else { return nil }
            origin = reference
            find = { try $0.order(of: citation) }
        case .feature:
            guard !places.isEmpty else { return nil }
            return { try $0.order(ofFeature: reference) }
        default: return nil
        }
        return { engine in
            var order = try find(engine)
            order.origin = origin
            order.range = range(in: reference) ?? order.range
            return order
        }
    }

    /// Returns the range of a token's reference, such as a chunk of its context: `[answer, step, first, last]`.
    private static func range(in reference: Reference) -> Range<Int>? {
        let path = reference.path
        guard reference.kind == .token, path.count > 3, path[2] >= 0, path[3] >= path[2] else { return nil }
        let (first, last) = (Int(clamping: path[2]), Int(clamping: path[3]))
        return first..<(last == .max ? last : last + 1)
    }
}
