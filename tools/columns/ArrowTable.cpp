//===- ArrowTable.cpp - columns as Arrow has them -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "columns/ArrowTable.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace seamscope::tools {
namespace {

const char *formatOf(ArrowType Type) {
  switch (Type) {
  case ArrowType::Int32:
  case ArrowType::Name:
    return "i";
  case ArrowType::Int64:
    return "l";
  case ArrowType::Double:
    return "g";
  case ArrowType::Text:
    return "u";
  }
  return "";
}

/// Key and value as Arrow has them in memory.
std::string metadataOf(std::string_view Key, std::string_view Value) {
  std::string Text;
  const auto Add = [&](int32_t Number) {
    char Bytes[sizeof Number];
    std::memcpy(Bytes, &Number, sizeof Number);
    Text.append(Bytes, sizeof Number);
  };
  Add(1);
  for (const std::string_view Each : {Key, Value}) {
    Add(static_cast<int32_t>(Each.size()));
    Text += Each;
  }
  return Text;
}

/// A schema or an array with what it points to. Children are released with it, unless they were
/// moved out.
template <typename ArrowT> struct Owned {
  std::shared_ptr<const ArrowTable> Table; ///< owns the names and the buffers
  std::string Metadata;                    ///< of a schema
  std::vector<const void *> Buffers;       ///< of an array
  std::vector<ArrowT> Children;
  std::vector<ArrowT *> Pointers;
  ArrowT Dictionary = {};

  static void release(ArrowT *Of) {
    const auto *const Its = static_cast<Owned *>(Of->private_data);
    for (ArrowT *const Each : Its->Pointers)
      if (Each->release)
        Each->release(Each);
    if (Of->dictionary && Of->dictionary->release)
      Of->dictionary->release(Of->dictionary);
    Of->release = nullptr;
    delete Its;
  }
};
using OwnedSchema = Owned<ArrowSchema>;
using OwnedArray = Owned<ArrowArray>;

void makeSchema(const char *Format, const char *Name, int64_t Flags,
                std::unique_ptr<OwnedSchema> Its, ArrowSchema &To) {
  for (ArrowSchema &Each : Its->Children)
    Its->Pointers.push_back(&Each);
  To = {.format = Format,
        .name = Name,
        .metadata = Its->Metadata.empty() ? nullptr : Its->Metadata.data(),
        .flags = Flags,
        .n_children = static_cast<int64_t>(Its->Pointers.size()),
        .children = Its->Pointers.empty() ? nullptr : Its->Pointers.data(),
        .dictionary = Its->Dictionary.release ? &Its->Dictionary : nullptr,
        .release = OwnedSchema::release,
        .private_data = Its.get()};
  static_cast<void>(Its.release());
}

void schemaOf(const std::shared_ptr<const ArrowTable> &Table, const ArrowColumn &Of,
              ArrowSchema &To) {
  auto Its = std::make_unique<OwnedSchema>();
  Its->Table = Table;
  Its->Metadata = metadataOf("help", Of.Help);
  if (Of.Type == ArrowType::Name)
    makeSchema("u", "", 0, std::make_unique<OwnedSchema>(), Its->Dictionary);
  makeSchema(formatOf(Of.Type), Of.Name.c_str(), ARROW_FLAG_NULLABLE, std::move(Its), To);
}

void makeArray(int64_t Rows, int64_t Begin, int64_t Nulls, std::unique_ptr<OwnedArray> Its,
               ArrowArray &To) {
  for (ArrowArray &Each : Its->Children)
    Its->Pointers.push_back(&Each);
  To = {.length = Rows,
        .null_count = Nulls,
        .offset = Begin,
        .n_buffers = static_cast<int64_t>(Its->Buffers.size()),
        .n_children = static_cast<int64_t>(Its->Pointers.size()),
        .buffers = Its->Buffers.data(),
        .children = Its->Pointers.empty() ? nullptr : Its->Pointers.data(),
        .dictionary = Its->Dictionary.release ? &Its->Dictionary : nullptr,
        .release = OwnedArray::release,
        .private_data = Its.get()};
  static_cast<void>(Its.release());
}

void arrayOf(const std::shared_ptr<const ArrowTable> &Table, const ArrowColumn &Of, size_t Begin,
             size_t Rows, ArrowArray &To) {
  auto Its = std::make_unique<OwnedArray>();
  Its->Table = Table;
  Its->Buffers = {Of.valid(), Of.values()};
  if (Of.Type == ArrowType::Text)
    Its->Buffers.push_back(Of.bytes());
  if (Of.Type == ArrowType::Name) {
    auto Names = std::make_unique<OwnedArray>();
    Names->Table = Table;
    Names->Buffers = {nullptr, Table->Names->offsets(), Table->Names->data()};
    makeArray(static_cast<int64_t>(Table->Names->size()), 0, 0, std::move(Names), Its->Dictionary);
  }
  constexpr int64_t NotCounted = -1;
  makeArray(static_cast<int64_t>(Rows), static_cast<int64_t>(Begin), Of.nulls() ? NotCounted : 0,
            std::move(Its), To);
}

/// A table on its way out.
struct Stream {
  std::shared_ptr<const ArrowTable> Table;
  size_t BatchRows;
  size_t Next = 0;
  bool IsDone = false;

  static Stream &of(ArrowArrayStream *From) { return *static_cast<Stream *>(From->private_data); }

  static int schema(ArrowArrayStream *From, ArrowSchema *To) {
    return guarded([&] {
      const auto &Table = of(From).Table;
      auto Its = std::make_unique<OwnedSchema>();
      Its->Children.resize(Table->Columns.size());
      for (size_t I = 0; I < Its->Children.size(); ++I)
        schemaOf(Table, Table->Columns[I], Its->Children[I]);
      makeSchema("+s", "", 0, std::move(Its), *To);
    });
  }

  static int next(ArrowArrayStream *From, ArrowArray *To) {
    return guarded([&] {
      Stream &Its = of(From);
      const size_t Rows = std::min(Its.BatchRows, Its.Table->rows() - Its.Next);
      // A table without rows has one batch without rows: some consumers want one.
      if (Its.IsDone) {
        *To = {};
        return;
      }
      auto Made = std::make_unique<OwnedArray>();
      Made->Table = Its.Table;
      Made->Buffers = {nullptr};
      Made->Children.resize(Its.Table->Columns.size());
      for (size_t I = 0; I < Made->Children.size(); ++I)
        arrayOf(Its.Table, Its.Table->Columns[I], Its.Next, Rows, Made->Children[I]);
      makeArray(static_cast<int64_t>(Rows), 0, 0, std::move(Made), *To);
      Its.Next += Rows;
      Its.IsDone = Its.Next == Its.Table->rows();
    });
  }

  template <typename FnT> static int guarded(FnT Do) {
    try {
      Do();
      return 0;
    } catch (const std::bad_alloc &) {
      return ENOMEM;
    }
  }

  static const char *lastError(ArrowArrayStream *) { return "out of memory"; }

  static void release(ArrowArrayStream *Of) {
    delete &of(Of);
    Of->release = nullptr;
  }
};

} // namespace

void ArrowTexts::add(std::string_view Text) {
  while (!Text.empty()) {
    size_t Good = 0;
    for (size_t Size; Good < Text.size() && (Size = characterBytes(Text.substr(Good)));)
      Good += Size;
    Bytes += Text.substr(0, Good);
    Text.remove_prefix(Good);
    if (!Text.empty()) {
      Bytes += "\xEF\xBF\xBD";
      Text.remove_prefix(1);
    }
  }
  Ends.push_back(static_cast<int32_t>(std::min<size_t>(Bytes.size(), INT32_MAX)));
}

void ArrowColumn::mark(bool IsValid) {
  // Bits are kept from the first null on: most columns have none.
  if (!IsValid && !Nulls)
    Valid.assign(Rows / 8 + 1, 0xFF);
  Nulls += !IsValid;
  if (Nulls) {
    if (Rows / 8 == Valid.size())
      Valid.push_back(0xFF);
    if (!IsValid)
      Valid[Rows / 8] = static_cast<uint8_t>(Valid[Rows / 8] & ~(1u << Rows % 8));
  }
  ++Rows;
}

void ArrowColumn::add(int64_t Value) {
  mark(true);
  if (Type == ArrowType::Int64)
    Wide.push_back(Value);
  else
    Narrow.push_back(static_cast<int32_t>(Value));
}

void ArrowColumn::add(double Value) {
  mark(true);
  Real.push_back(Value);
}

void ArrowColumn::add(std::string_view Value) {
  mark(true);
  Texts.add(Value);
}

void ArrowColumn::addNull() {
  mark(false);
  if (Type == ArrowType::Int64)
    Wide.push_back(0);
  else if (Type == ArrowType::Double)
    Real.push_back(0);
  else if (Type == ArrowType::Text)
    Texts.add({});
  else
    Narrow.push_back(0);
}

void ArrowColumn::reserve(size_t More) {
  if (Type == ArrowType::Int64)
    Wide.reserve(Rows + More);
  else if (Type == ArrowType::Double)
    Real.reserve(Rows + More);
  else if (Type != ArrowType::Text)
    Narrow.reserve(Rows + More);
}

const void *ArrowColumn::values() const {
  switch (Type) {
  case ArrowType::Int32:
  case ArrowType::Name:
    return Narrow.data();
  case ArrowType::Int64:
    return Wide.data();
  case ArrowType::Double:
    return Real.data();
  case ArrowType::Text:
    return Texts.offsets();
  }
  return nullptr;
}

void streamTable(std::shared_ptr<const ArrowTable> Of, ArrowArrayStream &To, size_t BatchRows) {
  To = {.get_schema = Stream::schema,
        .get_next = Stream::next,
        .get_last_error = Stream::lastError,
        .release = Stream::release,
        .private_data = new Stream{std::move(Of), BatchRows}};
}

} // namespace seamscope::tools
