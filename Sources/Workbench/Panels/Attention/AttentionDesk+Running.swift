internal import Interpretability
internal import Synchronization
internal import System
internal import Tokenizers
internal import Workspace

extension AttentionDesk {
    /// Opens the model of an order and reads its text.
    func open(
        _ order: AttentionOrder, isSecond: Bool, _ cancellation: Cancellation, _ tell: AttentionTelling
    ) throws -> AttentionRuns {
        tell(.reading(0, of: 0))
        let model = try model(order.model)
        let tokens: [TokenID] =
            switch order.content {
            case .text(let text): model.tokens(of: text)
            case .tokens(let tokens): tokens
            }
        let run = try model.run(tokens)
        try run.read(isCancelled: { cancellation.isCancelled }, progress: { tell(.reading($0, of: $1)) })
        let seat = Seat(run: run, title: model.name)
        change { seats in
            if isSecond { seats.second = seat } else { (seats.first, seats.second) = (seat, nil) }
            seats.pair = nil
        }
        var runs = try runs()
        if !isSecond { runs.settle(order, in: TokenBytes(tokens.lazy.map { model.tokenizer.bytes(of: $0) })) }
        return runs
    }

    /// Removes the last generated token of each run, except in a comparison with changed heads.
    ///
    /// Earlier tokens stay. The token that is now last is read again, so the next token is drawn as before.
    func stepBack(_ cancellation: Cancellation) throws -> AttentionRuns {
        let seats = current
        guard seats.pair == nil else {
            throw Problem(
                .invalid, "", "A run with changed heads cannot step back", remedy: "Press u to restore the heads.")
        }
        func back(_ seat: Seat) throws -> Seat {
            let last = seat.run.snapshot.tokens.count - 2
            guard last + 1 >= seat.run.snapshot.promptCount, last >= 0 else { return seat }
            var seat = seat
            let run = try seat.run.rerun(from: last, with: seat.run.snapshot.interventions)
            try run.read(isCancelled: { cancellation.isCancelled })
            seat.run = run
            return seat
        }
        let (first, second) = (try seats.first.map(back), try seats.second.map(back))
        change { ($0.first, $0.second) = (first, second) }
        return try runs()
    }

    /// Continues both runs. A canceled run returns what it generated so far, without an error.
    func generate(
        _ tokens: Int?, _ cancellation: Cancellation, _ tell: AttentionTelling
    ) throws -> AttentionRuns {
        var left = tokens ?? .max
        let isCancelled = { cancellation.isCancelled }
        while left > 0, !isCancelled() {
            let came: Bool
            do {
                came = try step(isCancelled)
            } catch {
                if isCancelled() { break }
                throw error
            }
            guard came else { break }
            left -= 1
            if left > 0 { tell(.came(try runs())) }
        }
        return try runs()
    }

    /// Generates one token in each run; `false` if both runs have ended.
    private func step(_ isCancelled: () -> Bool) throws -> Bool {
        let seats = current
        if let pair = seats.pair { return try pair.step(isCancelled: isCancelled) != nil }
        var came = false
        for run in [seats.first?.run, seats.second?.run].compactMap(\.self) {
            came = try run.step(isCancelled: isCancelled) != nil || came
        }
        return came
    }

    /// Reruns the first run from a token with changed heads, and keeps the unchanged run for comparison.
    ///
    /// The changed run becomes as long as the unchanged run. It draws its own tokens where the unchanged run had drawn
    /// tokens, and stores nothing in the workspace.
    func change(
        _ changes: [HeadChange], from token: Int, _ cancellation: Cancellation, _ tell: AttentionTelling
    ) throws -> AttentionRuns {
        guard let base = current.first else { throw Self.nothingOpen }
        let length = base.run.snapshot.tokens.count
        let interventions = changes.map {
            LiveIntervention(.head(layer: $0.layer, head: $0.head, scale: $0.scale), at: .from(token))
        }
        let pair = try RunPair(base.run, from: token, with: interventions)
        var changed = Seat(run: pair.changed, title: changes.map(\.title).joined(separator: ", "))
        changed.texts = Array(base.texts.prefix(token))
        let seat = changed
        change { seats in
            seats.first?.run = pair.untouched
            seats.second = seat
            seats.pair = pair
        }
        let isCancelled = { cancellation.isCancelled }
        do {
            try pair.read(isCancelled: isCancelled)
            while pair.changed.snapshot.tokens.count < length, pair.changed.snapshot.finish == nil, !isCancelled() {
                guard try pair.step(isCancelled: isCancelled) != nil else { break }
                tell(.came(try runs()))
            }
        } catch {
            guard isCancelled() else { throw error }
        }
        return try runs()
    }

    func closeSecond() {
        change { seats in
            seats.second = nil
            seats.pair = nil
        }
    }
}
