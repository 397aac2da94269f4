internal import Console
internal import Formatting
public import KernelLab
internal import Kernels
internal import Presentation

/// The machine's roofline with each kernel on it, the ladder of variants from the textbook to the limit, their sources,
/// and the launches of GPU profiles.
package struct KernelPage: Page {
    package static let about = PageInfo("kernels", "Kernels", opens: [.operation, .ownKernel, .profile, .launch])

    package enum PaneName: String, CaseIterable, Sendable {
        case subjects, roof, ladder, detail
    }

    /// Contents of the panes.
    enum Shown: Sendable {
        case kernel(OpenKernel)
        case profile(OpenProfile)
    }

    /// Views of the text pane.
    enum View: String, CaseIterable, Sendable {
        case source, figures, history
    }

    package let engine: KernelEngine
    package var screen = Screen(PaneName.subjects)
    var subjects = RowList<SubjectRow>()
    var shown: Shown?
    /// The kernel or profile to show once it is read.
    var opening: KernelPlace?
    /// The row that the list selects once it has it.
    var wanted: KernelSubject?
    /// Ceilings of this machine; `nil` if they were not measured.
    var ceilings: Ceilings?
    /// Threads of the next measurement.
    var threads = 1
    var text = TextView([])
    var view = View.source
    /// Why the last measurement of a kernel failed.
    var faults: [KernelSubject: String] = [:]
    /// Measurements in progress, by kernel.
    var measuring: [KernelSubject: Measuring] = [:]
    /// The measurement of the ceilings in progress.
    var measuringCeilings: Measuring?

    package init(_ context: PanelContext) {
        self.init(context, seconds: 4) { try CeilingMeasurement.run(progress: $0, cancellation: $1) }
    }

    /// - Parameters:
    ///   - seconds: Time for measuring all rungs of a ladder.
    ///   - measuredCeilings: Measures the ceilings of this machine.
    package init(
        _ context: PanelContext, seconds: Double, measuredCeilings: @escaping KernelEngine.CeilingsWork
    ) {
        engine = KernelEngine(
            context.workspace, peaks: context.settings.peaks, seconds: seconds, now: context.now,
            measuredCeilings: measuredCeilings)
        open(Self.first)
    }

    private static let first = KernelPlace(.operation(KernelCatalog.operations[0].name))

    // MARK: What is shown

    var kernel: OpenKernel? {
        get { if case .kernel(let open) = shown { open } else { nil } }
        set { if let newValue { shown = .kernel(newValue) } }
    }

    var profile: OpenProfile? {
        get { if case .profile(let open) = shown { open } else { nil } }
        set { if let newValue { shown = .profile(newValue) } }
    }

    /// The list of rungs or launches, whose cursor the roofline follows.
    var rungs: ListView {
        get { kernel?.list ?? profile?.rows.list ?? ListView() }
        set {
            kernel?.list = newValue
            profile?.rows.list = newValue
        }
    }

    var shownSubject: KernelSubject? { kernel?.subject ?? profile.map { .profile($0.profile.summary.id) } }

    /// Target of measuring, editing, and deleting: the selected row if the list has the focus; otherwise, the open kernel
    /// or profile.
    var target: KernelSubject? { screen.focus == .subjects ? subjects.selected?.id : shownSubject }

    package var selection: Reference? {
        switch shown {
        case .kernel(let open):
            let isOwn = if case .own = open.subject { true } else { false }
            return open.use.map { use in
                var reference = Reference(isOwn ? .ownKernel : .operation, [use], title: open.title)
                reference.onlyHere = "generations do not record the kernels that they run."
                return reference
            }
        case .profile(let open):
            let id = open.profile.summary.id
            var reference =
                open.selected.map { Reference(.launch, [id, Int64($0.ordinal)], title: $0.name) }
                ?? Reference(.profile, [id], title: open.profile.summary.title)
            reference.onlyHere = "profiles do not record which run they measured."
            return reference
        case nil: return nil
        }
    }

    // MARK: Opening

    package static func reads(_ reads: inout Reads<Self>) {
        reads.add(
            "subjects", for: { $0.threads }, in: .subjects, read: { try $0.subjects(threads: $1) },
            show: { $0.list($1) })
        reads.add(
            "ceilings", for: { _ in true }, read: { engine, _ in try engine.ceilings() }, show: { $0.raiseRoof($1) })
        reads.add(
            "open", for: { $0.opening }, in: .detail, read: { try $0.open($1) }, then: { $0.show($1) },
            failed: { page, _ in
                page.opening = nil
                return []
            })
        reads.follow("text", { $0.sections.map(\.text) }) { $0.showText() }
    }

    package mutating func open(_ reference: Reference) -> Work<Self>? {
        guard let number = reference.path.first else { return nil }
        screen.focus = .ladder
        switch reference.kind {
        case .operation: return locate { try $0.place(use: number) }
        case .ownKernel: return locate { try $0.place(ownKernel: number) }
        case .profile, .launch:
            var place = KernelPlace(.profile(number))
            place.launch = reference.kind == .launch && reference.path.count > 1 ? Int(reference.path[1]) : nil
            open(place)
            return []
        default: return nil
        }
    }

    /// Opens a place that only the workspace knows, instead of what is being opened.
    private mutating func locate(_ place: @escaping @Sendable (KernelEngine) throws -> KernelPlace) -> Work<Self> {
        opening = nil
        return read("locate", place) { $0.opening = $1 }
    }

    package func preview(of reference: Reference) -> Preview.Work {
        { [engine = engine] _ in
            guard let number = reference.path.first else { return .unplaced }
            let place: KernelPlace
            switch reference.kind {
            case .operation: place = try engine.place(use: number)
            case .ownKernel: place = try engine.place(ownKernel: number)
            default: return .shows("the launches of the profile")
            }
            guard case .kernel(let open) = try engine.open(place) else { return .unplaced }
            let variants = Format.count(open.ladder.rungs.count, "variant")
            return .shows("\(variants), \(Format.count(open.history.count, "earlier run"))")
        }
    }

    // MARK: Saved state

    /// The place to save: the kernel or profile that is shown, or the one being opened.
    private var place: KernelPlace? {
        switch shown {
        case .kernel(let open): KernelPlace(open)
        case .profile(let open): KernelPlace(open)
        case nil: opening
        }
    }

    package mutating func archive(_ archive: inout Archive) {
        archive("threads", &threads)
        archive("view", &view)
        var subject = place?.subject.rawValue
        var place = place ?? Self.first
        archive("shown", &subject)
        place.archive(&archive)
        guard archive.isReading else { return }
        threads = max(1, min(ThreadPool.usableProcessors, threads))
        place.subject = subject.flatMap(KernelSubject.init(rawValue:)) ?? place.subject
        open(place)
    }
}

extension Reference.Kind {
    /// A built-in kernel with its sizes: `[row]` of the workspace's kernel uses.
    public static let operation = Reference.Kind(rawValue: "operation")
    /// The user's own kernel: `[row]`.
    public static let ownKernel = Reference.Kind(rawValue: "own-kernel")
    /// An imported profile: `[row]`.
    public static let profile = Reference.Kind(rawValue: "profile")
    /// A launch of a profile: `[row, ordinal]`.
    public static let launch = Reference.Kind(rawValue: "launch")
}

extension Reference {
    /// Creates the reference by which the command line names an imported profile.
    public init(_ profile: ProfileSummary) { self.init(.profile, [profile.id], title: profile.title) }
}
