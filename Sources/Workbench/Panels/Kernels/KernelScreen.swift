internal import Console
internal import JSON
internal import KernelLab
internal import Kernels

/// What the panel brings back at the next start.
struct KernelScreen {
    var pane: KernelPanel.Pane
    var isZoomed: Bool
    var threads: Int
    var view: KernelPanel.View
    var shown: KernelSubject?
    var shape: String?
    var rung: String?
    var comparison: Int64?
    var place = ProfilePlace()

    init(_ panel: KernelPanel) {
        pane = panel.pane
        isZoomed = panel.isZoomed
        threads = panel.threads
        view = panel.view
        shown = panel.shownSubject ?? panel.wanted
        switch panel.shown {
        case .operation(let open):
            shape = open.shape
            rung = open.selected?.name
        case .own(let open): rung = open.selected?.name
        case .profile(let open):
            comparison = open.comparison?.after.id
            place = ProfilePlace(
                launch: open.selected?.ordinal, row: open.list.selection, sort: open.sort, filter: open.filter)
        case nil: break
        }
    }

    var text: String {
        var json = JSONWriter()
        json.object {
            $0.member("pane", pane.rawValue)
            $0.member("zoomed", isZoomed)
            $0.member("threads", threads)
            $0.member("view", view.rawValue)
            $0.member("shown", ifPresent: shown?.text)
            $0.member("shape", ifPresent: shape)
            $0.member("rung", ifPresent: rung)
            $0.member("comparison", ifPresent: comparison)
            $0.member("launch", ifPresent: place.launch)
            $0.member("row", ifPresent: place.row)
            $0.member("sort", ifPresent: place.sort?.rawValue)
            $0.member("filter", ifPresent: place.filter)
        }
        return json.text
    }

    init?(text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self = document.withRoot { KernelScreen($0) }
    }

    private init(_ root: JSONNode) {
        pane = root["pane"]?.string.flatMap(KernelPanel.Pane.init(rawValue:)) ?? .subjects
        isZoomed = root["zoomed"]?.bool ?? false
        threads = root["threads"]?.int.map { max(1, min(ThreadPool.usableProcessors, Int($0))) } ?? 1
        view = root["view"]?.string.flatMap(KernelPanel.View.init(rawValue:)) ?? .source
        shown = root["shown"]?.string.flatMap(KernelSubject.init(text:))
        shape = root["shape"]?.string
        rung = root["rung"]?.string
        comparison = root["comparison"]?.int
        place.launch = root["launch"]?.int.map { Int($0) }
        place.row = root["row"]?.int.map { Int($0) }
        place.sort = root["sort"]?.string.flatMap(OpenProfile.Sort.init(rawValue:))
        place.filter = root["filter"]?.string
    }

    func apply(to panel: inout KernelPanel) {
        panel.pane = pane
        panel.isZoomed = isZoomed
        panel.threads = threads
        panel.view = view
    }
}
