import Console
import Tables
import Workbench

/// The state that the two example pages of one place share: the chosen books.
struct Basket: Sendable {
    var books: Set<Int64> = []
}

extension PlaceInfo {
    static let shop = PlaceInfo("shop", "Shop")
}

/// A page that chooses books for the basket.
struct ChoicePage: Page {
    static let about = PageInfo("choice", "Choice")

    enum PaneName: String, Sendable {
        case books
    }

    let engine = Library()
    let basket: PlaceState<Basket>
    var screen = Screen(PaneName.books)
    var books = RowList<Book>()

    init(_ context: PanelContext) { basket = PlaceState(in: context, initially: Basket()) }

    static func actions(_ actions: inout Actions<Self>) {
        actions.add("space", name: "choose", "put the book into the basket") { page in
            if let id = page.books.selected?.id { page.basket.value.books.insert(id) }
            return []
        }
    }

    static func reads(_ reads: inout Reads<Self>) {
        reads.add(
            "books", for: { _ in true }, read: { library, _ in library.books(on: 1) }, show: { $0.books.show($1) })
    }

    static var panes: [Pane<Self>] {
        [
            .list(.books, \.books, frame: { Frame("Books", count: FrameLabel("\($0.basket.value.books.count)")) }) {
                _, columns in
                columns.add("title", minimum: 10, weight: 1) { .init($0.title) }
            }
        ]
    }

    func layout(in size: Size) -> PaneTree<PaneName> { .pane(.books) }
}

/// A page that reads the first lines of the chosen books and empties the basket.
struct BasketPage: Page {
    static let about = PageInfo("basket", "Basket")

    enum PaneName: String, Sendable {
        case text
    }

    let engine = Library()
    let basket: PlaceState<Basket>
    var screen = Screen(PaneName.text)
    var text = TextView([])

    init(_ context: PanelContext) { basket = PlaceState(in: context, initially: Basket()) }

    static func actions(_ actions: inout Actions<Self>) {
        actions.add("X", name: "empty", "empty the basket") { $0.basket.value.books = [] }
    }

    static func reads(_ reads: inout Reads<Self>) {
        reads.add(
            "texts", for: { $0.basket.value.books },
            read: { library, books in books.sorted().map { String(library.text(of: $0).prefix(17)) } },
            show: { page, texts in page.text.show(texts.map { TextSection($0) }) })
    }

    static var panes: [Pane<Self>] {
        [
            .text(
                .text, \.text, frame: { _ in Frame("Basket") },
                empty: { $0.basket.value.books.isEmpty ? ["The basket is empty."] : nil })
        ]
    }

    func layout(in size: Size) -> PaneTree<PaneName> { .pane(.text) }
}
