/** Pieces of source files as people write them, and the encodings in which such files are found. */
export interface Snippet {
  /** By its name in the Encoding Standard, or that of a code page. */
  readonly encoding: string;
  readonly text: string;
}

const simplified = [
  '// 登录',
  '// 返回值',
  '/* 初始化数据库连接 */',
  '# 计算两点之间的距离\n',
  '// 如果用户不存在则创建新用户\nif (u == NULL) u = create();\n',
  '/**\n * 订单状态：待支付、已支付、已取消\n */\nenum Status { A, B, C };\n',
  'int main() {\n    printf("请输入文件名：");\n    return 0; // 结束\n}\n',
  '// 修复内存泄漏\n',
  'x = 1; // 默认值',
  'const char *msg = "网络连接失败，请稍后重试";',
  '// 张三 2008年5月',
];
const traditional = [
  '// 登入',
  '// 回傳值',
  '/* 初始化資料庫連線 */',
  '# 計算兩點之間的距離\n',
  '// 如果使用者不存在則建立新使用者\nif (u == NULL) u = create();\n',
  '/**\n * 訂單狀態：待付款、已付款、已取消\n */\n',
  'printf("請輸入檔案名稱：");\n',
  '// 修正記憶體洩漏\n',
  'x = 1; // 預設值',
  'const char *msg = "網路連線失敗，請稍後再試";',
];
const japanese = [
  '// 初期化',
  '// 戻り値',
  '/* データベース接続を初期化する */',
  '# 二点間の距離を計算します。\n',
  '// ユーザーが存在しない場合は作成する\n',
  'printf("ファイル名を入力してください：");\n',
  '// メモリリークを修正',
  'x = 1; // 既定値',
  'const char *msg = "通信に失敗しました";',
  '// ログイン',
  '// 処理終了',
];
const korean = [
  '// 초기화',
  '// 반환값',
  '/* 데이터베이스 연결을 초기화한다 */',
  '# 두 점 사이의 거리를 계산합니다.\n',
  '// 사용자가 없으면 새로 만든다\n',
  'printf("파일 이름을 입력하세요: ");\n',
  '// 메모리 누수 수정',
  'x = 1; // 기본값',
  'const char *msg = "네트워크 연결에 실패했습니다";',
  '// 로그인',
];
const russian = [
  '// вход',
  '// ошибка',
  '/* Инициализация подключения к базе данных */',
  '# Вычисляет расстояние между двумя точками\n',
  '// если пользователя нет, создаём нового\n',
  'printf("Введите имя файла: ");\n',
  '// Исправлена утечка памяти',
  'x = 1; // по умолчанию',
  '/* ВНИМАНИЕ! Не изменять */',
  '// Автор: Иванов И.И., 2004 г.',
  'const char *msg = "Нет соединения с сервером";',
];
const ukrainian = [
  '// Ініціалізація підключення до бази даних',
  '// якщо користувача немає, створюємо нового\n',
  '// помилка читання файлу',
];
const german = [
  '// für',
  '// Größe der Tür prüfen',
  '/* Initialisiert die Datenbankverbindung für Benutzer */',
  '// Ändern',
  'printf("Dateiname ungültig: bitte ändern!\\n");',
  '# Müller, 2003\n',
  '// Maßstab größer als übergeben\nint x;\n',
  'x = 1; // Straße',
  '/* öffnet das Fenster, schließt die Tür */',
  '// Überprüfung der Gültigkeit (siehe §5)\n',
];
const french = [
  '// à',
  '// été',
  '/* Initialise la connexion à la base de données */',
  '// crée un nouvel utilisateur s’il n’existe pas\n',
  '// Génère le numéro de série\nint n;\n',
  'printf("Fichier non trouvé : vérifiez le chemin d\'accès.\\n");',
  '# Auteur : François Lefèvre\n',
  '// réinitialisé',
  '// « début »',
];
const spanish = [
  '// año',
  '// función que calcula la distancia máxima\n',
  '/* ¿Está vacío? */',
  '// configuración por defecto',
  '// Autor: José Núñez',
];
const portuguese = ['// função de inicialização', '// não', '/* configurações e permissões do usuário */', '// ações'];
const nordic = [
  '// Åpner tilkobling på nytt',
  '// lösenord får inte vara tomt',
  '// Ændrer størrelse på vinduet',
  '// käyttäjä',
  '// pääsynhallinta estää',
];
const italian = ['// perché è già inizializzata', '// qualità'];
const icelandic = ['// það er ekki hægt að opna skrána'];
const polish = [
  '// błąd',
  '// Inicjalizuje połączenie z bazą danych',
  '/* użytkownik już istnieje, więc zwróć wartość domyślną */',
  '// Zażółć gęślą jaźń',
  '// plik źródłowy',
];
const czech = [
  '// chyba při čtení',
  '/* Inicializuje připojení k databázi */',
  '// uživatel již existuje\n',
  '// příští řádek',
];
const hungarian = [
  '// Inicializálja az adatbázis-kapcsolatot',
  '// a felhasználó nem található, ezért újat hozunk létre',
  '// hibás érték, írja felül',
];
const turkish = [
  '// Veritabanı bağlantısını başlatır',
  '// kullanıcı yoksa yenisini oluştur\n',
  '// değer geçersiz',
  '// dosya adı',
];
const greek = ['// Αρχικοποίηση σύνδεσης με τη βάση δεδομένων', '// σφάλμα', '// αν ο χρήστης δεν υπάρχει\n'];
const hebrew = ['// אתחול חיבור למסד הנתונים', '// שגיאה', '// אם המשתמש לא קיים'];
const arabic = ['// تهيئة الاتصال بقاعدة البيانات', '// خطأ', '// إذا لم يكن المستخدم موجودا'];
const thai = ['// เริ่มต้นการเชื่อมต่อฐานข้อมูล', '// ข้อผิดพลาด', '// ถ้าไม่มีผู้ใช้'];
const lithuanian = [
  '// Jei naudotojas neegzistuoja, sukuriamas naujas naudotojas šioje lentelėje',
  '// reikšmė įrašyta',
];
const marks = [
  '// © 2010 Acme',
  '// 20 °C',
  'x = "“quoted” – text…";',
  '// Copyright (c) © Müller & Söhne',
  '// 5 µs ± 1',
  '// it’s',
  'char *s = "caf\u00e9";',
];

const inEach = (encoding: string, ...lists: readonly (readonly string[])[]): Snippet[] =>
  lists.flat().map((text) => ({ encoding, text }));

/** Texts that fit into the encoding, each. */
export const snippets: readonly Snippet[] = [
  ...inEach('gb18030', simplified),
  ...inEach('big5', traditional),
  ...inEach('shift_jis', japanese),
  ...inEach('euc-jp', japanese),
  ...inEach('euc-kr', korean),
  ...inEach('windows-1251', russian, ukrainian),
  ...inEach('koi8-u', russian, ukrainian),
  ...inEach('ibm866', russian),
  ...inEach('iso-8859-5', russian.slice(2, 6)),
  ...inEach('windows-1252', german, french, spanish, portuguese, nordic, italian, icelandic, marks),
  ...inEach('windows-1250', polish, czech, hungarian),
  ...inEach('iso-8859-2', polish, czech),
  ...inEach('windows-1254', turkish),
  ...inEach('windows-1253', greek),
  ...inEach('windows-1255', hebrew),
  ...inEach('windows-1256', arabic),
  ...inEach('windows-874', thai),
  ...inEach('windows-1257', lithuanian),
  ...inEach('cp850', german.slice(1, 6)),
  ...inEach('macintosh', german.slice(1, 4)),
];
