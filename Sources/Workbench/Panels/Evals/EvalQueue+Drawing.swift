internal import Console
internal import Evals
internal import Formatting
internal import Traces

extension EvalQueue {
    /// Returns the lines above the sample: the user's rating and, after it, other ratings.
    func head(_ glyphs: Glyphs) -> [StyledLine] {
        guard let entry else {
            let word = queue == nil ? "reading the queue" : "there are no samples to judge"
            return [StyledLine(word, .dim)]
        }
        var own = StyledLine("you  ", .dim)
        if let rating = entry.own {
            own.append(GradeScale.words(rating.verdict), Self.role(rating.verdict))
            if !rating.note.isEmpty { own.append("  \(rating.note)", .text) }
        } else {
            own.append("not yet", .dim)
        }
        guard entry.own?.verdict.passes != nil else {
            return [own, StyledLine("other ratings and the run's score appear after you judge", .dim)]
                + [said].compactMap(\.self)
        }
        var others = StyledLine("run  ", .dim)
        others.append(
            entry.scorePasses.map { $0 ? "passed" : "failed" } ?? "no score",
            entry.scorePasses.map { $0 ? Role.success : .failure } ?? .dim)
        for rating in entry.others {
            others.append("   \(rating.rater)  ", .dim)
            others.append(GradeScale.words(rating.verdict), Self.role(rating.verdict))
            if !rating.note.isEmpty { others.append(" (\(rating.note))", .dim) }
        }
        if entry.isDisputed { others.append("   ratings differ", .warning) }
        return [own, others] + [said].compactMap(\.self)
    }

    /// The last rating, with the run's score and other ratings of the same sample.
    private var said: StyledLine? {
        guard let last,
            let judged = queue?.entries.first(where: { $0.id == last.sample && $0.epoch == last.epoch })
        else { return nil }
        var line = StyledLine("last: ", .dim)
        line.append(GradeScale.words(last.verdict), Self.role(last.verdict))
        line.append(" for \(last.sample)", .text)
        guard last.verdict.passes != nil else { return line }
        line.append(judged.scorePasses.map { $0 ? ", scored as passed" : ", scored as failed" } ?? "", .dim)
        for rating in judged.others {
            line.append("   \(rating.rater)  ", .dim)
            line.append(GradeScale.words(rating.verdict), Self.role(rating.verdict))
        }
        return line
    }

    private static func role(_ verdict: Rating.Verdict) -> Role {
        verdict.passes.map { $0 ? .success : .failure } ?? .dim
    }

    func drawAgreement(into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        func put(_ line: StyledLine) {
            for part in line.wrapped(to: max(8, area.columns)) where rest.rows > 0 {
                let row = rest.takeTop(1)
                surface.put(part, at: row.origin, theme: theme, width: row.columns)
            }
        }
        guard let queue else { return put(StyledLine("reading the queue", .dim)) }
        // A low and wide pane has one line per topic.
        if area.columns > 60 {
            put(standing(of: queue))
            agreements(isNarrow: false).forEach(put)
            return
        }
        let total = queue.entries.count
        put(StyledLine([.init("rater      ", .dim), .init(rater, .accent)]))
        put(
            StyledLine([
                .init("judged     ", .dim), .init("\(Format.count(queue.rated)) of \(Format.count(total))", .strong),
            ]))
        if queue.skipped > 0 {
            put(StyledLine([.init("skipped    ", .dim), .init(Format.count(queue.skipped))]))
        }
        put(
            StyledLine([
                .init("disputed   ", .dim), .init(Format.count(queue.disputed), queue.disputed > 0 ? .warning : .text),
            ]))
        put(StyledLine([.init("order      ", .dim), .init(order.rawValue)]))
        put(StyledLine(""))
        agreements(isNarrow: true).forEach(put)
        if rows.count >= Self.mostRows {
            put(StyledLine("only the first \(Format.count(Self.mostRows)) samples are listed", .warning))
        }
    }

    /// Returns the rater's progress in one line.
    private func standing(of queue: ReviewQueue) -> StyledLine {
        var line = StyledLine([.init(rater, .accent), .init("  judged ", .dim)])
        line.append("\(Format.count(queue.rated)) of \(Format.count(queue.entries.count))", .strong)
        if queue.skipped > 0 { line.append("   skipped \(Format.count(queue.skipped))", .dim) }
        line.append("   disputed ", .dim)
        line.append(Format.count(queue.disputed), queue.disputed > 0 ? .warning : .text)
        return line
    }

    /// Returns the agreement of each pair of raters.
    private func agreements(isNarrow: Bool) -> [StyledLine] {
        let pairs = agreement?.pairs ?? []
        guard !pairs.isEmpty else {
            return [StyledLine("agreement appears once two raters judge the same sample", .dim)]
        }
        var lines = pairs.flatMap { pair -> [StyledLine] in
            let who = StyledLine("\(pair.one) and \(pair.other == "score" ? "the run's own score" : pair.other)")
            var line = StyledLine(
                "  \(Format.share(pair.percent)) of \(Format.count(pair.samples)) agree", .dim)
            line.append(
                pair.kappa.map { "  kappa \(Format.metric($0))" } ?? "  kappa undefined", .strong)
            return isNarrow ? [who, line] : [StyledLine(who.runs + line.runs)]
        }
        if let alpha = agreement?.alpha {
            lines.append(StyledLine("alpha, all raters  \(Format.metric(alpha))", .dim))
        }
        return lines
    }
}
