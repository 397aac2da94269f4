internal import Console
internal import Interpretability
internal import Models
internal import Workspace

extension AttentionDesk {
    /// Returns the views of both runs that a request needs.
    func look(_ request: AttentionRequest, _ cancellation: Cancellation) throws -> AttentionLooks {
        let seats = current
        guard var first = seats.first else { throw Self.nothingOpen }
        var looks = AttentionLooks(first: try look(&first, request, cancellation))
        if var second = seats.second { looks.second = try look(&second, request, cancellation) }
        if let pair = seats.pair {
            let snapshot = pair.snapshot
            looks.divergence = .init(
                from: snapshot.from, values: snapshot.divergences, mean: Double(snapshot.meanDivergence))
        }
        return looks
    }

    private func look(
        _ seat: inout Seat, _ wanted: AttentionRequest, _ cancellation: Cancellation
    ) throws -> AttentionLook {
        let open = seat.open()
        var request = wanted
        request.layer = min(request.layer, open.layers - 1)
        request.head = min(request.head, open.heads - 1)
        let reader = AttentionReader(run: seat.run, snapshot: seat.run.snapshot, request: request)
        var look = AttentionLook(request: wanted)
        for measure in HeadMeasure.allCases {
            guard let kind = StreamedHeadScores.Kind(rawValue: measure.rawValue) else { continue }
            look.scores[measure] = reader.atlas.scores.scores(kind)
            look.definitions[measure] = kind.definition
        }
        try cancellation.check()
        (look.heatmaps, look.miniCell) = reader.heatmaps
        look.head = try reader.picture()
        if request.token < reader.snapshot.readCount {
            look.attended = try reader.attended()
            if request.wantsAttending { look.attending = try reader.attending() }
        } else {
            look.headProblem = "token \(request.token) has not been read yet"
        }
        look.facts = reader.facts
        try cancellation.check()
        if request.tab == .token || request.tab == .sums, let range = request.range {
            look.share = try reader.share(of: range)
        }
        let positions = reader.positions(columnsEach: 1)
        look.firstPosition = positions.lowerBound
        switch request.tab {
        case .lens: look.lens = try reader.lens { cancellation.isCancelled }
        case .norms: look.norms = reader.norms(positions)
        case .experts, .sums:
            look.routing = reader.routing(positions)
            if look.routing == nil { look.missing[.experts] = "the model has no experts" }
        case .token: break
        }
        return look
    }
}
