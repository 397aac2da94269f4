internal import Console
internal import EvalLogs
internal import Evals
internal import Workspace

/// Judging samples one by one.
extension EvalPage {
    mutating func showQueue() -> Work<Self> {
        guard let run = target?.id ?? open?.id else { return [] }
        if view != .queue { origin = view }
        queue.begin(run)
        go(to: .queue)
        return open?.id == run ? .again("ratings") : show(run)
    }

    /// What the queue depends on: the open run and the rater.
    struct RatingKey: Hashable, Sendable {
        var run: Int64
        var rater: String
    }

    var ratingKey: RatingKey? {
        guard view == .queue, let open, queue.run == open.id else { return nil }
        return RatingKey(run: open.id, rater: queue.rater)
    }

    func readRatings(of key: RatingKey?) -> Work<Self> {
        guard let key, let open else { return .cancel("ratings") }
        let (log, rows) = (open.log, queueRows)
        return read("ratings") {
            try RatedRows(log, rows, $0.ratings, until: $1)
        } then: { page, rated in
            if page.ratingKey == key { page.queue.show(rated, keeping: page.queue.queue != nil) }
            return []
        }
    }

    /// Rows that the queue has already read; empty if the run has grown.
    private var queueRows: [EvalRow] {
        queue.rows.count >= min(EvalQueue.mostRows, open?.index.known ?? 0) ? queue.rows : []
    }

    /// Whether the sample of the queue is on the screen, because a verdict applies to what the rater sees.
    var isSampleShown: Bool {
        guard view == .queue, let open, queue.run == open.id, let entry = queue.entry, let sample else { return false }
        return sample.row.index == entry.index && sample.row.id == entry.id
    }

    // MARK: Verdicts

    /// Asks for a grade by the first letter of its word, because digits switch places.
    func askGrade() -> Work<Self> {
        guard isSampleShown, let entry = queue.entry else { return [] }
        let options = GradeScale.all.map { grade in
            Question<Int>.Option(
                grade.key, "\(grade.word), \(grade.number) of \(GradeScale.all.count)", value: grade.number)
        }
        return .question(Question("Grade \(name(entry))", options)) { page, grade in
            page.queue.sample == entry.index ? page.rate(.grade(grade)) : []
        }
    }

    /// Saves a verdict, after a question if it passes a sample without an answer.
    func rate(_ verdict: Rating.Verdict, note: String? = nil) -> Work<Self> {
        guard isSampleShown, let entry = queue.entry else { return [] }
        guard verdict.passes == true, queue.isWithoutAnswer else { return save(verdict, note) }
        return .question(
            Question(
                "Rate a sample without an answer?", lines: ["\(name(entry)) has no answer."],
                [.init("r", "rate it “\(GradeScale.words(verdict))”", value: true)])
        ) { page, _ in
            page.queue.sample == entry.index ? page.save(verdict, note) : []
        }
    }

    private func name(_ entry: ReviewQueue.Entry) -> String { Escape.printable(entry.id).truncated(toColumns: 30) }

    private func save(_ verdict: Rating.Verdict, _ note: String?) -> Work<Self> {
        guard isSampleShown, let run = open?.run, let entry = queue.entry else { return [] }
        let rating = Rating(
            run: run.ratingKey, sample: entry.id, epoch: entry.epoch, rater: queue.rater, verdict: verdict,
            note: note ?? entry.own?.note ?? "", time: now())
        return changeRatings(isUndo: false) {
            try $0.add(rating)
            return rating
        }
    }

    func undoRating() -> Work<Self> {
        guard let run = open?.run else { return [] }
        let rater = queue.rater
        return changeRatings(isUndo: true) { try $0.undo(rater: rater, of: run) }
    }

    /// Changes the ratings of the run and reads them again.
    ///
    /// - Parameter change: Returns the rating that was added or undone; `nil` if there was none to undo.
    private func changeRatings(
        isUndo: Bool, _ change: @escaping @Sendable (any ReviewDesk) throws -> Rating?
    ) -> Work<Self> {
        guard let key = ratingKey, let open else { return [] }
        let (log, rows) = (open.log, queueRows)
        return write { desk in
            let rating = try change(desk.ratings)
            return (try RatedRows(log, rows, desk.ratings), rating)
        } then: { page, changed in
            page.ratingKey == key ? page.show(changed.0, changed.1, isUndo: isUndo) : []
        } failed: { _, _ in
            .again("ratings")
        }
    }

    /// Goes to the next sample after a verdict, and back to the sample of an undone one.
    private mutating func show(_ rated: RatedRows, _ rating: Rating?, isUndo: Bool) -> Work<Self> {
        queue.show(rated, keeping: rating == nil)
        queue.last = isUndo ? nil : rating ?? queue.last
        guard let rating else { return [] }
        if isUndo {
            if let row = rated.rows.first(where: { $0.id == rating.sample && $0.epoch == rating.epoch }) {
                queue.go(to: row.index)
            }
        } else if queue.queue?.rated == queue.queue?.entries.count {
            return .notify("all \(queue.rows.count) samples are judged", .success)
        }
        return []
    }

    // MARK: Notes and raters

    /// Asks for a note, which stays with the verdict; without a verdict, the sample is skipped.
    func askNote() -> Work<Self> {
        let field = Form.Field("why", value: Escape.printable(queue.entry?.own?.note ?? ""))
        return .value("Note on the sample", verb: "save", field) { $0.save(note: $1) }
    }

    func save(note: String) -> Work<Self> { rate(queue.entry?.own?.verdict ?? .skipped, note: note) }

    func askRater() -> Work<Self> {
        let others = queue.queue?.entries.flatMap { $0.others.map(\.rater) } ?? []
        let choices = Set([queue.rater] + others).sorted().map { rater in
            Choice(Escape.printable(rater), isCurrent: rater == queue.rater, value: rater)
        }
        func set(_ page: inout Self, _ rater: String) -> Work<Self> {
            if !rater.trimmed.isEmpty { page.queue.rater = rater.trimmed }
            return []
        }
        return .choose("Who judges?", choices, typed: (verb: "Judge as", then: set), then: set)
    }
}

/// The ratings of a run with its rows.
struct RatedRows: Sendable {
    let ratings: [Rating]
    let rows: [EvalRow]
    let agreement: RaterAgreement

    /// - Parameter rows: Rows that are already known; empty reads them.
    init(
        _ log: any EvalLog, _ rows: [EvalRow], _ desk: any ReviewDesk, until cancellation: Cancellation = Cancellation()
    ) throws {
        let rows =
            try rows.isEmpty
            ? cancellation.during { try log.rows(0..<EvalQueue.mostRows, isCancelled: $0) } : rows
        (ratings, self.rows) = (try desk.ratings(of: log.run), rows)
        agreement = RaterAgreement(ratings, rows: rows)
    }
}
